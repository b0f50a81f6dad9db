import { Button, Select } from '@mantine/core';
import { lazy, Suspense, useEffect, useEffectEvent, useId, useState } from 'react';
import type { Decision } from '../api/reports';
import { useI18n } from '../i18n/I18n';
import { asDocument, toApiDocument, words } from '../richtext/document';
import { PrecedentCount, Precedents } from '../precedents/Precedents';
import { Icon } from '../ui/Icon';
import { length, reasonsLimit } from '../ui/limits';
import { Loading } from '../ui/States';
import classes from './DecisionFields.module.css';
import { usePolicies } from './usePolicies';
import { templateOf, untouched } from './verdicts';

const RichEditor = lazy(() => import('../richtext/RichEditor').then((m) => ({ default: m.RichEditor })));

/** Up to how many rules the list says what each led to: that is a request for each. */
const withPrecedents = 20;

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
  const outdated = chosen !== null && current?.version !== chosen.version;
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
        <Select
          label={t('decision.policy')}
          placeholder={t('decision.policySearch')}
          searchable
          selectFirstOptionOnChange
          clearable
          nothingFoundMessage={t('palette.empty')}
          value={chosen?.key ?? null}
          onChange={choose}
          error={outdated ? t('decision.policyOutdated') : undefined}
          data={[
            ...policies.map((policy) => ({ value: policy.key, label: policy.title })),
            ...(chosen !== null && current === undefined ? [{ value: chosen.key, label: chosen.title }] : []),
          ]}
          filter={({ options, search }) => {
            const asked = search.trim().toLocaleLowerCase();
            return options.filter((option) => 'value' in option && (option.label.toLocaleLowerCase().includes(asked) || option.value.includes(asked)));
          }}
          renderOption={({ option }) => (
            <span className={classes.option}>
              <bdi>{option.label}</bdi> <code>{option.value}</code>
              {reportId !== undefined && policies.length <= withPrecedents && <PrecedentCount reportId={reportId} policy={option.value} />}
            </span>
          )}
        />
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
