import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useI18n } from '../i18n/I18n';
import { Icon } from '../ui/Icon';
import classes from './BlurredWords.module.css';

/** Words that are blurred, also for readers of screens, until they are asked for. */
export function BlurredWords({ children }: { children: ReactNode }) {
  const { t } = useI18n();
  const [clear, setClear] = useState(false);
  return (
    <div className={classes.frame}>
      <Button size="compact-sm" variant="default" leftSection={<Icon name={clear ? 'eyeOff' : 'eye'} size={15} />} onClick={() => setClear(!clear)}>
        {t(clear ? 'care.blurWords' : 'care.showWords')}
      </Button>
      <div className={classes.words} data-clear={clear || undefined} inert={!clear}>
        {children}
      </div>
    </div>
  );
}
