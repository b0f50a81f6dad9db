import { Checkbox, Radio, Textarea } from '@mantine/core';
import { useId } from 'react';
import { informsAuthor, type Decision } from '../api/reports';
import { resolutions, type Resolution } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { explanationLimit, length } from '../ui/limits';
import classes from './DecisionFields.module.css';
import { PolicyFields } from './PolicyFields';


/** The outcome and the explanation of a decision; `decision` is null until one is chosen. */
export function DecisionFields({ decision, onChange, autoFocus = false }: { decision: Decision | null; onChange: (decision: Decision) => void; autoFocus?: boolean }) {
  const { t, number } = useI18n();
  const hintId = useId();
  const current = decision ?? { resolution: 'no_violation' as Resolution, explanation: '', share: false };
  const used = length(current.explanation);
  return (
    <div className={classes.fields}>
      <Radio.Group
        label={t('report.outcome')}
        value={decision?.resolution ?? null}
        onChange={(value) => onChange({ ...current, resolution: value as Resolution })}
      >
        <div className={classes.choices}>
          {resolutions.map((resolution, index) => (
            <Radio.Card key={resolution} value={resolution} className={classes.choice} autoFocus={autoFocus && (decision === null ? index === 0 : decision.resolution === resolution)}>
              <Radio.Indicator size="xs" />
              <span>
                <span className={classes.name}>{t(`resolution.${resolution}`)}</span>
                <span className={classes.hint}>{t(`report.resolutionHint.${resolution}`)}</span>
              </span>
            </Radio.Card>
          ))}
        </div>
      </Radio.Group>
      {decision !== null && informsAuthor(decision) && <PolicyFields decision={decision} onChange={onChange} />}
      <Textarea
        label={t('report.explanation')}
        placeholder={t('report.explanationHint')}
        autosize
        minRows={2}
        maxRows={8}
        value={current.explanation}
        aria-describedby={hintId}
        error={used > explanationLimit ? t('report.tooLong', { limit: explanationLimit }) : undefined}
        onChange={(event) => onChange({ ...current, explanation: event.currentTarget.value })}
      />
      <div className={classes.foot}>
        <Checkbox
          label={t('report.share')}
          description={used === 0 ? t('report.shareHint') : undefined}
          checked={current.share}
          disabled={used === 0}
          onChange={(event) => onChange({ ...current, share: event.currentTarget.checked })}
        />
        <span id={hintId} className={classes.count}>
          {used > 0 ? `${number(used)} / ${number(explanationLimit)}` : ''}
        </span>
      </div>
    </div>
  );
}
