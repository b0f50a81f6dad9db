import { Button, Switch } from '@mantine/core';
import { useState } from 'react';
import { DecisionFields } from '../../decision/DecisionFields';
import { reasonsFit } from '../../decision/reasons';
import { PreviewButton } from '../../decision/StatementPreview';
import { useContentAction, type DecisionDraft } from '../../decision/useContentAction';
import { NeedsSecond } from '../../held/NeedsSecond';
import { useI18n } from '../../i18n/I18n';
import { MeasureFields } from '../../measures/MeasureFields';
import { useMeasureChoice } from '../../measures/useMeasureChoice';
import { useOnceProposed } from '../../measures/useOnceProposed';
import { useDraft } from '../../storage/drafts';
import { Callout } from '../../ui/Callout';
import { Form, FormButtons } from '../../ui/Form';
import { Segments } from '../../ui/Segments';
import { length, noteLimits } from '../../ui/limits';
import { resolveKey } from '../possibleMoves';
import classes from './WorkPanel.module.css';
import type { WorkFormProps } from './workForm';

export function ResolveForm({ report, together, draft: draftKey, commands, setForm, decide, decidable, contested, advance, chooses }: WorkFormProps) {
  const { t } = useI18n();
  const [draft, setDraft] = useDraft<DecisionDraft>(draftKey);
  const content = useContentAction([report], draft);
  const measures = useMeasureChoice([{ id: report.id, decisions: 1 }], draft);
  // A colleague who decides under the form does not turn it into a change of their decision.
  const [opened] = useState(report.status);
  const [knowing, setKnowing] = useState(false);
  const overtaken = report.status === 'done' && (contested || opened !== 'done') && !knowing;
  const valid = draft !== null && length(draft.explanation) <= noteLimits.max && reasonsFit(draft) && (measures.ready || measures.asking);
  const decision = draft && { ...draft, measures: measures.requests() };
  const send = () => {
    if (decision !== null && content.settled()) decide(decision, content.action);
  };
  const { waits, submit } = useOnceProposed(measures, send);
  return (
    <Form className={classes.form} cancel={() => setForm(null)} label={t(resolveKey(report))} submit={submit}>
      <DecisionFields decision={draft} onChange={setDraft} content={content} reportId={report.id} alleged={report.allegedPolicy?.key} autoFocus>
        {draft !== null && <MeasureFields reports={[report]} draft={draft} onChange={setDraft} choice={measures} />}
      </DecisionFields>
      <NeedsSecond reports={[report]} decision={decision} action={content.action} />
      <PreviewButton report={report} decision={decision} action={content.action} />
      <AdvanceChoice together={together} advance={advance} chooses={chooses} />
      {overtaken && (
        <Callout tone="amber" title={t('report.overtaken')}>
          <Button size="compact-sm" variant="default" onClick={() => setKnowing(true)}>
            {t('report.overtakenChange')}
          </Button>
        </Callout>
      )}
      <FormButtons cancel={() => setForm(null)} submit={together === null ? t(report.status === 'done' ? 'report.changeDecision' : 'report.decide') : t('cases.decide', { count: together.count })} disabled={!valid || overtaken || !decidable} loading={commands.pending === 'resolve' || waits} />
    </Form>
  );
}

/** Whether and to what a decision leads on, by its key as by its form. */
export function AdvanceChoice({ together, advance, chooses }: Pick<WorkFormProps, 'together' | 'advance' | 'chooses'>) {
  const { t } = useI18n();
  return (
    <div className={classes.advance}>
      <Switch size="xs" label={t(together !== null || (advance.on && chooses && advance.to === 'case') ? 'cases.advance' : 'pref.advance')} checked={advance.on} onChange={(event) => advance.setOn(event.currentTarget.checked)} />
      {advance.on && chooses && (
        <Segments
          size="xs"
          aria-label={t('advance.to')}
          value={advance.to}
          onChange={advance.setTo}
          data={[
            { value: 'report', label: t('advance.report') },
            { value: 'case', label: t('cases.next') },
          ]}
        />
      )}
    </div>
  );
}
