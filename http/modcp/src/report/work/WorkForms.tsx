import { Button, SegmentedControl, Switch, Textarea } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { informsAuthor, type Decision } from '../../api/reports';
import type { Report } from '../../api/types';
import { DecisionFields } from '../../decision/DecisionFields';
import { reasonsFit } from '../../decision/reasons';
import { StatementPreview } from '../../decision/StatementPreview';
import { useI18n } from '../../i18n/I18n';
import { decisionDraft, useDraft } from '../../storage/drafts';
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
  /** Null where there is no choice: the next report. */
  advanceTo: AdvanceTo | null;
  setAdvanceTo: (to: AdvanceTo) => void;
}

/** Submits a form on Ctrl+Enter. */
function submitOnCtrlEnter(submit: () => void) {
  return (event: React.KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      submit();
    }
  };
}

export function ResolveForm({ report, commands, setForm, decide, advance, setAdvance, advanceTo, setAdvanceTo }: WorkFormProps) {
  const { t } = useI18n();
  const [draft, setDraft] = useDraft<Decision>(decisionDraft(report.id));
  const [previewed, setPreviewed] = useState(false);
  const valid = draft !== null && length(draft.explanation) <= noteLimits.max && reasonsFit(draft);
  const submit = () => {
    if (!valid || draft === null) return;
    decide(draft);
  };
  return (
    <form
      className={classes.form}
      aria-label={t(resolveKey(report))}
      onKeyDown={submitOnCtrlEnter(submit)}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
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
      <FormFoot cancel={() => setForm(null)} submit={t(report.status === 'done' ? 'report.changeDecision' : 'report.decide')} disabled={!valid} loading={commands.pending === 'resolve'} />
    </form>
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
  const submit = () => {
    if (!fits(text, noteLimits)) return;
    void commands.reopen(text.trim()).then((next) => {
      if (next === null) return;
      setDraft(null);
      setForm(null);
    });
  };
  return (
    <form
      className={classes.form}
      aria-label={t('move.reopen')}
      onKeyDown={submitOnCtrlEnter(submit)}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Textarea ref={field} required label={t('report.reopenReason')} description={t('report.lengthHint', noteLimits)} value={text} onChange={(event) => setDraft(event.currentTarget.value)} />
      <FormFoot cancel={() => setForm(null)} submit={t('move.reopen')} disabled={!fits(text, noteLimits)} loading={commands.pending === 'reopen'} />
    </form>
  );
}

export function AssignForm({ report, commands, setForm }: WorkFormProps) {
  const { t } = useI18n();
  const [assignee, setAssignee] = useState<string | null>(null);
  return (
    <form
      className={classes.form}
      aria-label={t('move.assign')}
      onSubmit={(event) => {
        event.preventDefault();
        if (assignee === null) return;
        void commands.assign(assignee).then((next) => {
          if (next !== null) setForm(null);
        });
      }}
    >
      <AssigneePicker reportId={report.id} value={assignee} onChange={setAssignee} autoFocus />
      <FormFoot cancel={() => setForm(null)} submit={t('move.assign')} disabled={assignee === null} loading={commands.pending === 'assign'} />
    </form>
  );
}

function FormFoot({ cancel, submit, disabled, loading }: { cancel: () => void; submit: string; disabled: boolean; loading: boolean }) {
  const { t } = useI18n();
  return (
    <div className={classes.foot}>
      <Button variant="default" onClick={cancel}>
        {t('action.cancel')}
      </Button>
      <Button type="submit" disabled={disabled} loading={loading}>
        {submit}
      </Button>
    </div>
  );
}
