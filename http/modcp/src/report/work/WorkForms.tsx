import { Button, SegmentedControl, Switch, Textarea } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { informsAuthor, type Decision } from '../../api/reports';
import type { Report } from '../../api/types';
import { DecisionFields } from '../../decision/DecisionFields';
import { reasonsFit } from '../../decision/reasons';
import { StatementPreview } from '../../decision/StatementPreview';
import { useI18n } from '../../i18n/I18n';
import { decisionDraft, useDraft } from '../../storage/drafts';
import { Form, FormButtons } from '../../ui/Form';
import { Icon } from '../../ui/Icon';
import { fits, length, noteLimits } from '../../ui/limits';
import { resolveKey } from '../changes';
import { AssigneePicker } from './AssigneePicker';
import type { ReportCommands } from './useReportCommands';
import classes from './WorkPanel.module.css';

export type WorkForm = 'assign' | 'resolve' | 'reopen' | 'note';

/** What is opened after a decision. */
export type AdvanceTo = 'report' | 'case';

export interface WorkFormProps {
  report: Report;
  commands: ReportCommands;
  setForm: (form: WorkForm | null) => void;
  decide: (decision: Decision) => void;
  advance: boolean;
  setAdvance: (advance: boolean) => void;
  /** Null if there is no choice, which means the next report. */
  advanceTo: AdvanceTo | null;
  setAdvanceTo: (to: AdvanceTo) => void;
}

export function ResolveForm({ report, commands, setForm, decide, advance, setAdvance, advanceTo, setAdvanceTo }: WorkFormProps) {
  const { t } = useI18n();
  const [draft, setDraft] = useDraft<Decision>(decisionDraft(report.id));
  const [previewed, setPreviewed] = useState(false);
  const valid = draft !== null && length(draft.explanation) <= noteLimits.max && reasonsFit(draft);
  return (
    <Form className={classes.form} label={t(resolveKey(report))} submit={() => draft !== null && decide(draft)}>
      <DecisionFields decision={draft} onChange={setDraft} autoFocus />
      {draft !== null && informsAuthor(draft) && (
        <Button className={classes.preview} size="compact-sm" variant="default" leftSection={<Icon name="eye" size={14} />} onClick={() => setPreviewed(true)}>
          {t('statement.preview')}
        </Button>
      )}
      {previewed && draft !== null && <StatementPreview report={report} decision={draft} close={() => setPreviewed(false)} />}
      <Switch size="xs" label={t(advance && advanceTo === 'case' ? 'cases.advance' : 'pref.advance')} checked={advance} onChange={(event) => setAdvance(event.currentTarget.checked)} />
      {advance && advanceTo !== null && (
        <SegmentedControl
          size="xs"
          aria-label={t('advance.to')}
          value={advanceTo}
          onChange={(to) => setAdvanceTo(to as AdvanceTo)}
          data={[
            { value: 'report', label: t('advance.report') },
            { value: 'case', label: t('cases.next') },
          ]}
        />
      )}
      <FormButtons cancel={() => setForm(null)} submit={t(report.status === 'done' ? 'report.changeDecision' : 'report.decide')} disabled={!valid} loading={commands.pending === 'resolve'} />
    </Form>
  );
}

export function ReopenForm({ report, commands, setForm }: WorkFormProps) {
  const { t } = useI18n();
  const [draft, setDraft] = useDraft<string>(`${report.id}:reopen`);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
  }, []);
  const text = draft ?? '';
  const submit = () =>
    void commands.reopen(text.trim()).then((next) => {
      if (next === null) return;
      setDraft(null);
      setForm(null);
    });
  return (
    <Form className={classes.form} label={t('move.reopen')} submit={submit}>
      <Textarea ref={field} required label={t('report.reopenReason')} description={t('report.lengthHint', noteLimits)} value={text} onChange={(event) => setDraft(event.currentTarget.value)} />
      <FormButtons cancel={() => setForm(null)} submit={t('move.reopen')} disabled={!fits(text, noteLimits)} loading={commands.pending === 'reopen'} />
    </Form>
  );
}

export function AssignForm({ report, commands, setForm }: WorkFormProps) {
  const { t } = useI18n();
  const [assignee, setAssignee] = useState<string | null>(null);
  return (
    <Form
      className={classes.form}
      label={t('move.assign')}
      submit={() => {
        if (assignee === null) return;
        void commands.assign(assignee).then((next) => {
          if (next !== null) setForm(null);
        });
      }}
    >
      <AssigneePicker reportId={report.id} value={assignee} onChange={setAssignee} autoFocus />
      <FormButtons cancel={() => setForm(null)} submit={t('move.assign')} disabled={assignee === null} loading={commands.pending === 'assign'} />
    </Form>
  );
}
