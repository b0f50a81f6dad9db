import { Button } from '@mantine/core';
import { useState } from 'react';
import { useCare } from '../care/care';
import { useI18n } from '../i18n/I18n';
import { Icon } from '../ui/Icon';
import classes from './BlurredImage.module.css';

/** A reported picture: fetched on request, then blurred until it is asked for again, or for as long as it is held. */
export function BlurredImage({ src, alt }: { src: string; alt: string }) {
  const { t } = useI18n();
  const [{ pictures, grey }] = useCare();
  const [step, setStep] = useState<'hidden' | 'blurred' | 'clear'>(pictures ? 'blurred' : 'hidden');
  const [held, setHeld] = useState(false);
  const release = () => setHeld(false);
  return (
    <span className={classes.frame}>
      {step !== 'hidden' && (
        <img
          src={src}
          alt={alt}
          title={step === 'clear' ? undefined : t('care.hold')}
          className={classes.image}
          data-clear={step === 'clear' || held || undefined}
          data-grey={grey || undefined}
          referrerPolicy="no-referrer"
          loading="lazy"
          draggable={false}
          onPointerDown={() => setHeld(true)}
          onPointerUp={release}
          onPointerLeave={release}
          onPointerCancel={release}
        />
      )}
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
