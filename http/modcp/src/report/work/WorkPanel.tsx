import { Button, Kbd } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { Report } from '../../api/types';
import { SetAside } from '../../cases/SetAside';
import { useDecisions } from '../../decision/DecisionProvider';
import { DecisionButtons, DecisionState } from '../../decision/DecisionTray';
import { HeldDecision } from '../../held/HeldDecision';
import { Verdicts } from '../../decision/Verdicts';
import type { Verdict } from '../../decision/verdictsOf';
import { useI18n } from '../../i18n/I18n';
import { keyLabel, shortcuts } from '../../keyboard/shortcuts';
import { useUser } from '../../session/useSession';
import { Icon, type IconName } from '../../ui/Icon';
import { Panel } from '../../ui/Panel';
import { PersonName } from '../../ui/PersonName';
import { mayAct, offers, resolveKey, runnable } from '../possibleMoves';
import { PresentDecision } from './PresentDecision';
import { actionLabel } from './actionLabel';
import { AssignForm } from './AssignForm';
import { EscalateForm } from './EscalateForm';
import { ReopenForm } from './ReopenForm';
import { AdvanceChoice, ResolveForm } from './ResolveForm';
import { ReturnForm } from './ReturnForm';
import type { WorkForm, WorkFormProps } from './workForm';
import classes from './WorkPanel.module.css';

const hotkeys = shortcuts.report;

interface Props extends WorkFormProps {
  form: WorkForm | null;
  verdicts: readonly Verdict[];
  give: (verdict: Verdict) => void;
  /** Runs an action on the content. */
  act: (action: string) => void;
  /** Changes where the form is filled in anew. */
  filled: number;
  /** Opens what comes after a case that was set aside. */
  leave: () => Promise<void>;
}

/** Who holds the report, what may be done with it and its content, and the decision. */
export function WorkPanel(props: Props) {
  const { report, together, commands, form, setForm } = props;
  const { t } = useI18n();
  const self = useUser();
  const busy = commands.pending !== null;
  // The button of a form that is open is hidden.
  const opens = (move: Exclude<WorkForm, 'note'>) => offers(report, move) && form !== move;
  // A form that opens scrolls into view, its submit button included.
  const forms = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (form !== null) forms.current?.scrollIntoView({ block: 'nearest' });
  }, [form]);
  // Closing a form or ending a wait may remove the focused element, so the focus moves here. A held decision shows its undo.
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
      {report.status === 'done' && <PresentDecision report={report} />}
      {report.held != null && <HeldDecision report={report} held={report.held} commands={commands} />}
      <div ref={place} className={classes.place} role="group" aria-labelledby="decision" tabIndex={-1}>
        {together !== null && together.heldByOthers > 0 && <p className={classes.nothing}>{t('cases.heldByOthers', { count: together.heldByOthers })}</p>}
        <Waiting report={report} />
        {form === null && <Verdicts verdicts={props.verdicts} disabled={busy || !props.decidable} give={props.give} />}
        {!mayAct(report) ? (
          <p className={classes.nothing}>{t('report.readOnly')}</p>
        ) : (
          <div className={classes.moves}>
            {opens('reopen') && (
              <MoveButton icon="undo" hotkey={hotkeys.resolve.key} primary text={t('move.reopen')} disabled={busy} onClick={() => setForm('reopen')} />
            )}
            {opens('resolve') && (
              <MoveButton icon="check" hotkey={offers(report, 'reopen') ? undefined : hotkeys.resolve.key} primary={!offers(report, 'reopen')} text={t(resolveKey(report))} disabled={busy} onClick={() => setForm('resolve')} />
            )}
            {offers(report, 'claim') && (
              <MoveButton icon="hand" hotkey={hotkeys.claim.key} text={t('move.claim')} disabled={busy} loading={commands.pending === 'claim'} onClick={() => void commands.claim()} />
            )}
            {opens('assign') && (
              <MoveButton icon="user" hotkey={hotkeys.assign.key} text={t('move.assign')} disabled={busy} onClick={() => setForm('assign')} />
            )}
            {opens('escalate') && (
              <MoveButton icon="users" hotkey={hotkeys.escalate.key} text={t('move.escalate')} disabled={busy} onClick={() => setForm('escalate')} />
            )}
            {offers(report, 'unassign') && (
              <MoveButton icon="close" text={t('move.unassign')} disabled={busy} loading={commands.pending === 'unassign'} onClick={() => void commands.unassign()} />
            )}
            {runnable(report).map((action) => (
              <MoveButton
                key={action.name}
                icon={action.name === 'hide' ? 'eyeOff' : action.name === 'unhide' ? 'eye' : 'bolt'}
                hotkey={action.name === 'hide' ? hotkeys.hide.key : action.name === 'unhide' ? keyLabel(hotkeys.restore.key) : undefined}
                danger={action.name === 'hide'}
                text={actionLabel(t, action.name)}
                disabled={busy}
                loading={commands.pending === action.name}
                onClick={() => props.act(action.name)}
              />
            ))}
          </div>
        )}
        {report.status !== 'done' && mayAct(report) && <SetAside target={report.target} leave={props.leave} />}
        {report.status !== 'done' && form !== 'resolve' && offers(report, 'resolve') && <AdvanceChoice {...props} />}
        {report.ownDecision && <p className={classes.nothing}>{t('report.ownDecision')}</p>}
        {report.actions
          .filter((action) => action.pending === true)
          .map((action) => (
            <p key={action.name} className={classes.asked} role="status">
              <Icon name="clock" size={16} /> {t('action.pending', { action: actionLabel(t, action.name) })}
            </p>
          ))}
        <div ref={forms}>
          {form === 'resolve' && offers(report, 'resolve') && <ResolveForm key={props.filled} {...props} />}
          {form === 'reopen' && offers(report, 'reopen') && <ReopenForm {...props} />}
          {form === 'escalate' && offers(report, 'escalate') && <EscalateForm {...props} />}
          {form === 'return' && offers(report, 'return') && <ReturnForm {...props} />}
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

/** A decision that is held back; no other move is possible until it is sent or has failed. */
function Waiting({ report }: { report: Report }) {
  const { held, sendNow, takeBack } = useDecisions();
  const waiting = held.get(report.id);
  if (waiting === undefined) return null;
  return (
    <div className={classes.waiting} role={waiting.error === null ? undefined : 'alert'}>
      <span className={classes.until}>
        <DecisionState held={waiting} />
      </span>
      <div className={classes.foot}>
        <DecisionButtons held={waiting} sendNow={sendNow} takeBack={takeBack} />
      </div>
    </div>
  );
}
