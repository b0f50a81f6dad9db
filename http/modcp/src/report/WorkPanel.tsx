import { Button, Kbd, Switch, Textarea } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { Decision } from '../api/reports';
import type { Report } from '../api/types';
import { useUser } from '../app/useSession';
import { useI18n } from '../i18n/I18n';
import { useShortcuts } from '../keyboard/Shortcuts';
import { Icon, type IconName } from '../ui/Icon';
import { Panel } from '../ui/Panel';
import { PersonName } from '../ui/PersonName';
import { ResolutionTag } from '../ui/Tag';
import { When } from '../ui/When';
import { AssigneePicker } from './AssigneePicker';
import { mayAct, offers, resolveKey, runnable } from './changes';
import { DecisionFields } from './DecisionFields';
import { useDecisions } from './Decisions';
import { decisionDraft, useDraft } from './drafts';
import { fits, length, noteLimits } from './limits';
import { actionLabel, type ReportCommands } from './useCommands';
import classes from './WorkPanel.module.css';

export type WorkForm = 'assign' | 'resolve' | 'reopen' | 'note';

interface Props {
  report: Report;
  commands: ReportCommands;
  form: WorkForm | null;
  setForm: (form: WorkForm | null) => void;
  decide: (decision: Decision) => void;
  advance: boolean;
  setAdvance: (advance: boolean) => void;
}

/** Who holds the report, what may be done with it and its content, and the decision. */
export function WorkPanel(props: Props) {
  const { report, commands, form, setForm } = props;
  const { t } = useI18n();
  const self = useUser();
  const busy = commands.pending !== null;
  // A form that is open is what its button would open.
  const opens = (move: WorkForm) => offers(report, move) && form !== move;
  // A form that opens shows itself down to the button that sends it.
  const forms = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (form !== null) forms.current?.scrollIntoView({ block: 'nearest' });
  }, [form]);
  // A form that ends, or a wait, may take the focus with it: it stays here, and what waits shows its way back.
  const place = useRef<HTMLDivElement>(null);
  const waits = useDecisions().held.has(report.id);
  const before = useRef({ form, waits });
  useEffect(() => {
    const ended = (before.current.form !== null && form === null) || before.current.waits !== waits;
    before.current = { form, waits };
    if (ended && waits) place.current?.scrollIntoView({ block: 'nearest' });
    if (ended && document.activeElement === document.body) place.current?.focus({ preventScroll: true });
  }, [form, waits]);

  return (
    <Panel id="decision" title={t('report.decision')}>
      <div className={classes.holder}>
        <span className={classes.label}>{t('board.assignee')}</span>
        {report.assignee === null ? (
          <span>{t('report.nobody')}</span>
        ) : (
          <PersonName person={report.assignee} self={report.assignee.id === self?.id} />
        )}
      </div>
      {report.status === 'done' && <Outcome report={report} />}
      <div ref={place} className={classes.place} role="group" aria-labelledby="decision" tabIndex={-1}>
        <Waiting report={report} />
        {!mayAct(report) ? (
          <p className={classes.nothing}>{t('report.readOnly')}</p>
        ) : (
          <div className={classes.moves}>
            {opens('reopen') && (
              <MoveButton icon="undo" hotkey="r" primary text={t('move.reopen')} disabled={busy} onClick={() => setForm('reopen')} />
            )}
            {opens('resolve') && (
              <MoveButton icon="check" hotkey={offers(report, 'reopen') ? undefined : 'r'} primary={!offers(report, 'reopen')} text={t(resolveKey(report))} disabled={busy} onClick={() => setForm('resolve')} />
            )}
            {offers(report, 'claim') && (
              <MoveButton icon="hand" hotkey="c" text={t('move.claim')} disabled={busy} loading={commands.pending === 'claim'} onClick={() => void commands.claim()} />
            )}
            {opens('assign') && (
              <MoveButton icon="user" hotkey="a" text={t('move.assign')} disabled={busy} onClick={() => setForm('assign')} />
            )}
            {offers(report, 'unassign') && (
              <MoveButton icon="close" text={t('move.unassign')} disabled={busy} loading={commands.pending === 'unassign'} onClick={() => void commands.unassign()} />
            )}
            {runnable(report).map((action) => (
              <MoveButton
                key={action.name}
                icon={action.name === 'hide' ? 'eyeOff' : action.name === 'unhide' ? 'eye' : 'bolt'}
                hotkey="h"
                danger={action.name === 'hide'}
                text={actionLabel(t, action.name)}
                disabled={busy}
                loading={commands.pending === action.name}
                onClick={() => void commands.act(action.name)}
              />
            ))}
          </div>
        )}
        <div ref={forms} className={classes.forms}>
          {form === 'resolve' && offers(report, 'resolve') && <ResolveForm {...props} />}
          {form === 'reopen' && offers(report, 'reopen') && <ReopenForm {...props} />}
          {form === 'assign' && offers(report, 'assign') && <AssignForm {...props} />}
        </div>
      </div>
    </Panel>
  );
}

function MoveButton({ icon, hotkey, text, primary = false, danger = false, disabled, loading = false, onClick }: {
  icon: IconName; hotkey?: string; text: string; primary?: boolean; danger?: boolean; disabled: boolean; loading?: boolean; onClick: () => void;
}) {
  return (
    <Button
      className={danger ? classes.danger : undefined}
      classNames={{ label: classes.text }}
      variant={primary ? 'filled' : 'default'}
      leftSection={<Icon name={icon} size={16} />}
      rightSection={hotkey === undefined ? undefined : <Kbd size="xs" className={classes.key} aria-hidden="true">{hotkey}</Kbd>}
      disabled={disabled && !loading}
      loading={loading}
      onClick={onClick}
    >
      {text}
    </Button>
  );
}

/** A decision that is not sent yet; until then no other move fits. */
function Waiting({ report }: { report: Report }) {
  const { t } = useI18n();
  const waiting = useDecisions().held.get(report.id);
  const seconds = useSecondsTo(waiting?.until ?? 0);
  if (waiting === undefined) return null;
  const resolution = t(`resolution.${waiting.decision.resolution}`);
  if (seconds === 0) return <p className={classes.waiting}>{t('report.sending', { resolution })}</p>;
  return (
    <div className={classes.waiting}>
      <span className={classes.until}>{t('report.waiting', { resolution, seconds })}</span>
      <WayBack reportId={report.id} />
    </div>
  );
}

function WayBack({ reportId }: { reportId: string }) {
  const { t } = useI18n();
  const { sendNow, takeBack } = useDecisions();
  useShortcuts({ u: () => takeBack(reportId) });
  return (
    <div className={classes.foot}>
      <Button size="compact-sm" variant="default" leftSection={<Icon name="undo" size={14} />} onClick={() => takeBack(reportId)}>
        {t('action.undo')}
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => sendNow(reportId)}>
        {t('bulk.now')}
      </Button>
    </div>
  );
}

/** Whole seconds up to a moment in milliseconds, 0 after it. */
function useSecondsTo(moment: number): number {
  const left = () => Math.max(0, Math.ceil((moment - Date.now()) / 1000));
  const [, setSeconds] = useState(left);
  useEffect(() => {
    if (left() === 0) return;
    const timer = setInterval(() => setSeconds(left()), 200);
    return () => clearInterval(timer);
  }, [moment]);
  return left();
}

function Outcome({ report }: { report: Report }) {
  const { t } = useI18n();
  return (
    <div className={classes.outcome}>
      <div className={classes.decided}>
        {report.resolution !== null && <ResolutionTag resolution={report.resolution} />}
        <PersonName person={report.resolver} plain />
        {report.resolvedAt !== null && (
          <span className={classes.when}>
            <When iso={report.resolvedAt} />
          </span>
        )}
      </div>
      {report.explanation !== null && report.explanation !== '' ? (
        <p className={classes.explanation} dir="auto">
          {report.explanation}
        </p>
      ) : (
        <p className={classes.nobody}>{t(report.erased === true ? 'state.erased' : 'report.noExplanation')}</p>
      )}
    </div>
  );
}

/** Ctrl and Enter in a form's text sends it, as people know it from elsewhere. */
function submitOnCtrlEnter(submit: () => void) {
  return (event: React.KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      submit();
    }
  };
}

function ResolveForm({ report, commands, setForm, decide, advance, setAdvance }: Props) {
  const { t } = useI18n();
  const [draft, setDraft] = useDraft<Decision>(decisionDraft(report.id));
  const valid = draft !== null && length(draft.explanation) <= noteLimits.max;
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
      <Switch size="xs" label={t('pref.advance')} checked={advance} onChange={(event) => setAdvance(event.currentTarget.checked)} />
      <FormFoot cancel={() => setForm(null)} submit={t(report.status === 'done' ? 'report.changeDecision' : 'report.decide')} disabled={!valid} loading={commands.pending === 'resolve'} />
    </form>
  );
}

function ReopenForm({ report, commands, setForm }: Props) {
  const { t } = useI18n();
  const [draft, setDraft] = useDraft<string>(`${report.id}:reopen`);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
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

function AssignForm({ report, commands, setForm }: Props) {
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
