import { Checkbox, Textarea } from '@mantine/core';
import { useEffect, useId, useRef, type ReactNode } from 'react';
import { informsAuthor, type Decision } from '../api/reports';
import type { Resolution } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { actionLabel } from '../report/work/actionLabel';
import { Callout } from '../ui/Callout';
import { explanationLimit, length } from '../ui/limits';
import classes from './DecisionFields.module.css';
import { OutcomeChoice } from './OutcomeChoice';
import { PolicyFields } from './PolicyFields';
import type { ContentAction } from './useContentAction';

interface Props {
  /** Null until an outcome is chosen. */
  decision: Decision | null;
  onChange: (decision: Decision) => void;
  content: ContentAction;
  /** The report whose precedents stand beside the rules. */
  reportId?: string;
  /** The key of the rule that the reporter named. */
  alleged?: string;
  autoFocus?: boolean;
  /** What else goes with the decision, beside its rule. */
  children?: ReactNode;
}

/** The outcome of a decision, what it does to the content, and its explanation. */
export function DecisionFields({ decision, onChange, content, reportId, alleged, autoFocus = false, children }: Props) {
  const { t, number } = useI18n();
  const hintId = useId();
  const explanation = useRef<HTMLTextAreaElement>(null);
  const { actions, action, setAction, asked } = content;
  useEffect(() => {
    if (asked !== null) explanation.current?.focus();
  }, [asked]);
  const current = decision ?? { resolution: 'no_violation' as Resolution, explanation: '', share: false };
  const used = length(current.explanation);
  return (
    <div className={classes.fields}>
      <OutcomeChoice value={decision?.resolution ?? null} onChange={(resolution) => onChange({ ...current, resolution })} autoFocus={autoFocus} />
      {decision !== null && informsAuthor(decision) && <PolicyFields decision={decision} onChange={onChange} reportId={reportId} alleged={alleged} />}
      {actions.map((name) => (
        <Checkbox key={name} label={actionLabel(t, name)} checked={action === name} onChange={(event) => setAction(event.currentTarget.checked ? name : null)} />
      ))}
      {children}
      {asked !== null && (
        <Callout tone="amber" alert>
          {t(`decision.contradiction.${asked}`)}
        </Callout>
      )}
      <Textarea
        ref={explanation}
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
