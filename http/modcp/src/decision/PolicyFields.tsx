import { Button } from '@mantine/core';
import { lazy, Suspense, useEffect, useEffectEvent, useId, useState } from 'react';
import type { Decision } from '../api/reports';
import { useI18n } from '../i18n/I18n';
import { asDocument, toApiDocument, words } from '../richtext/document';
import { Precedents } from '../precedents/Precedents';
import { Icon } from '../ui/Icon';
import { length, reasonsLimit } from '../ui/limits';
import { Loading } from '../ui/States';
import classes from './DecisionFields.module.css';
import { PolicySelect } from './PolicySelect';
import { usePolicies } from './usePolicies';
import { templateOf, untouched } from './verdictsOf';

const RichEditor = lazy(() => import('../richtext/RichEditor').then((m) => ({ default: m.RichEditor })));

/** The rule that a decision refers to, and the statement to the author, which starts from the rule's template. */
export function PolicyFields({ decision, onChange, reportId, alleged }: { decision: Decision; onChange: (decision: Decision) => void; reportId?: string; alleged?: string }) {
  const { t, number } = useI18n();
  const label = useId();
  const policies = usePolicies();
  // The editor takes its content once; a template is a new start.
  const [start, setStart] = useState(0);
  // The form starts with the rule that the reporter named, until somebody chooses another or none.
  const startsWith = decision.policy === undefined && policies?.some(({ key }) => key === alleged) ? alleged : undefined;
  const begin = useEffectEvent((key: string) => choose(key));
  useEffect(() => {
    if (startsWith !== undefined) begin(startsWith);
  }, [startsWith]);
  if (policies === undefined) return null;

  const chosen = decision.policy ?? null;
  const current = policies.find((policy) => policy.key === chosen?.key);
  const template = current === undefined ? null : templateOf(current);
  const used = length(words(decision.reasons));

  const choose = (key: string | null) => {
    const policy = policies.find((one) => one.key === key);
    if (policy === undefined) {
      onChange({ ...decision, policy: null });
      return;
    }
    const fills = templateOf(policy) !== null && untouched(decision, policies);
    onChange({
      ...decision,
      policy: { key: policy.key, version: policy.version, title: policy.title },
      ...(fills ? { reasons: templateOf(policy) } : {}),
    });
    if (fills) setStart(start + 1);
  };

  return (
    <>
      {(policies.length > 0 || chosen !== null) && (
        <PolicySelect policies={policies} chosen={chosen} onChange={choose} reportId={reportId} />
      )}
      {reportId !== undefined && chosen !== null && <Precedents key={chosen.key} reportId={reportId} policy={chosen.key} />}
      <div>
        <div className={classes.reasonsHead}>
          <span id={label} className={classes.reasonsLabel}>
            {t('decision.reasons')}
          </span>
          {template !== null && words(template) !== words(decision.reasons) && (
            <Button
              size="compact-xs"
              variant="subtle"
              leftSection={<Icon name="note" size={13} />}
              onClick={() => {
                onChange({ ...decision, reasons: template });
                setStart(start + 1);
              }}
            >
              {t('decision.useTemplate')}
            </Button>
          )}
        </div>
        <p className={classes.hint}>{t('decision.reasonsHint')}</p>
        <Suspense fallback={<Loading rows={2} />}>
          <RichEditor
            key={start}
            label={t('decision.reasons')}
            doc={decision.reasons ?? asDocument('')}
            onChange={(doc) => onChange({ ...decision, reasons: words(doc) === '' ? null : toApiDocument(doc) })}
          />
        </Suspense>
        {used > reasonsLimit - 500 && (
          <p className={used > reasonsLimit ? classes.over : classes.count} role={used > reasonsLimit ? 'alert' : undefined}>
            {used > reasonsLimit ? t('report.tooLong', { limit: reasonsLimit }) : `${number(used)} / ${number(reasonsLimit)}`}
          </p>
        )}
      </div>
    </>
  );
}
