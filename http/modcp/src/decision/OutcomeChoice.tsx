import { Radio } from '@mantine/core';
import '@mantine/core/styles/Radio.css';
import '@mantine/core/styles/RadioCard.css';
import '@mantine/core/styles/RadioIndicator.css';
import { resolutions, type Resolution } from '../api/types';
import { useI18n } from '../i18n/I18n';
import classes from './DecisionFields.module.css';

/** The outcome of a decision; null until one is chosen. */
export function OutcomeChoice({ value, onChange, autoFocus = false }: { value: Resolution | null; onChange: (outcome: Resolution) => void; autoFocus?: boolean }) {
  const { t } = useI18n();
  return (
    <Radio.Group label={t('report.outcome')} value={value} onChange={(chosen) => onChange(chosen as Resolution)}>
      <div className={classes.choices}>
        {resolutions.map((resolution, index) => (
          <Radio.Card key={resolution} value={resolution} className={classes.choice} data-autofocus={index === 0 || undefined} autoFocus={autoFocus && (value === null ? index === 0 : value === resolution)}>
            <Radio.Indicator size="xs" />
            <span>
              <span className={classes.name}>{t(`resolution.${resolution}`)}</span>
              <span className={classes.hint}>{t(`report.resolutionHint.${resolution}`)}</span>
            </span>
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  );
}
