import { Button } from '@mantine/core';
import { useState } from 'react';
import { useI18n } from '../i18n/I18n';
import { Icon } from '../ui/Icon';
import classes from './BlurredImage.module.css';

/** A reported picture: fetched on request, then blurred until it is asked for again. */
export function BlurredImage({ src, alt }: { src: string; alt: string }) {
  const { t } = useI18n();
  const [step, setStep] = useState<'hidden' | 'blurred' | 'clear'>('hidden');
  return (
    <span className={classes.frame}>
      {step !== 'hidden' && <img src={src} alt={alt} className={classes.image} data-clear={step === 'clear' || undefined} referrerPolicy="no-referrer" loading="lazy" />}
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<Icon name={step === 'clear' ? 'eyeOff' : 'eye'} size={15} />}
        onClick={() => setStep(step === 'hidden' ? 'blurred' : step === 'blurred' ? 'clear' : 'blurred')}
      >
        {t(step === 'hidden' ? 'report.loadImage' : step === 'blurred' ? 'report.showImage' : 'report.blurImage')}
      </Button>
    </span>
  );
}
