import { ActionIcon, Slider } from '@mantine/core';
import '@mantine/core/styles/Slider.css';
import { useEffect, useRef } from 'react';
import { useI18n } from '../../i18n/I18n';
import { Icon } from '../../ui/Icon';
import classes from './StepSlider.module.css';

/** Above this many events their marks would overlap. */
const marked = 30;

/** Picks one of a report's events. It takes the focus, so that the arrow keys work at once. */
export function StepSlider({ total, step, onChange }: { total: number; step: number; onChange: (step: number) => void }) {
  const { t } = useI18n();
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    root.current?.querySelector<HTMLElement>('[role="slider"]')?.focus();
  }, []);
  return (
    <div className={classes.steps}>
      <ActionIcon variant="default" size="lg" aria-label={t('replay.previous')} disabled={step <= 1} onClick={() => onChange(step - 1)}>
        <Icon name="chevronLeft" />
      </ActionIcon>
      <Slider
        ref={root}
        className={classes.slider}
        min={1}
        max={total}
        step={1}
        value={step}
        onChange={onChange}
        label={null}
        thumbSize={20}
        thumbLabel={t('replay.slider')}
        marks={total <= marked ? Array.from({ length: total }, (_, index) => ({ value: index + 1 })) : undefined}
        // The dialog focuses this rather than its close button.
        data-autofocus
      />
      <ActionIcon variant="default" size="lg" aria-label={t('replay.next')} disabled={step >= total} onClick={() => onChange(step + 1)}>
        <Icon name="chevronRight" />
      </ActionIcon>
    </div>
  );
}
