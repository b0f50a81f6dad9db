import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { Link, useLocation } from 'react-router';
import { casePath } from '../cases/caseLinks';
import { useI18n } from '../i18n/I18n';
import { Icon } from '../ui/Icon';
import { useToastSlot } from '../ui/Toasts';
import classes from '../ui/Toasts.module.css';
import { useErrorText } from '../ui/useErrorText';
import { passes, type DecisionOrder, type HeldDecision } from './decisionHold';

interface Props {
  decisions: readonly HeldDecision[];
  sendNow: (reportId: string) => void;
  takeBack: (reportId: string) => void;
}

/** Decisions that wait or have failed, but that of the open report, which its own screen shows. */
export function DecisionTray({ decisions, sendNow, takeBack }: Props) {
  const { t } = useI18n();
  const slot = useToastSlot();
  if (slot === null || decisions.length === 0) return null;
  return createPortal(
    <section className={classes.tray} aria-label={t('tray.title')}>
      {decisions.map((held) => (
        <div key={held.report.id} className={classes.toast} data-tone={held.error === null ? 'wait' : 'error'}>
          <Icon name={held.error === null ? 'clock' : 'warning'} size={17} />
          <span className={classes.text}>
            <Link to={pathOf(held)}>
              <bdi>{held.title === null || held.title === '' ? t('board.untitled') : held.title}</bdi>
            </Link>{' '}
            <DecisionState held={held} />
          </span>
          <DecisionButtons held={held} sendNow={sendNow} takeBack={takeBack} />
        </div>
      ))}
    </section>,
    slot,
  );
}

/** Where a decision was made. */
export const pathOf = ({ report, together }: DecisionOrder) => (together.length === 0 ? `/modcp/reports/${report.id}` : casePath(report.target));

/** The outcome, and when it is sent or why it was not. */
export function DecisionState({ held: { decision, until, error } }: { held: HeldDecision }) {
  const { t } = useI18n();
  const errorText = useErrorText();
  const { pathname, search } = useLocation();
  const seconds = useSecondsTo(until);
  const resolution = t(`resolution.${decision.resolution}`);
  if (error === null) return <>{seconds === 0 ? t('report.sending', { resolution }) : t('report.waiting', { resolution, seconds })}</>;
  return (
    <>
      {t('report.notSent', { resolution, why: errorText(error) })}{' '}
      {error.status === 401 && !pathname.startsWith('/sign-in') && <Link to={`/sign-in?next=${encodeURIComponent(pathname + search)}`}>{t('session.signIn')}</Link>}
    </>
  );
}

/** Takes a decision back or sends it now; one that failed is tried again or given up. */
export function DecisionButtons({ held: { report, until, error }, sendNow, takeBack }: Omit<Props, 'decisions'> & { held: HeldDecision }) {
  const { t } = useI18n();
  if (until === 0 && error === null) return null;
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => takeBack(report.id)}>
        {t(error === null ? 'action.undo' : 'tray.giveUp')}
      </Button>
      {(error === null || passes(error)) && (
        <Button size="compact-sm" variant="default" onClick={() => sendNow(report.id)}>
          {t(error === null ? 'bulk.now' : 'action.retry')}
        </Button>
      )}
    </>
  );
}

/** Whole seconds until a moment in milliseconds; 0 after it. */
function useSecondsTo(moment: number): number {
  const [, setSeconds] = useState(() => secondsTo(moment));
  useEffect(() => {
    if (secondsTo(moment) === 0) return;
    const timer = setInterval(() => setSeconds(secondsTo(moment)), 200);
    return () => clearInterval(timer);
  }, [moment]);
  return secondsTo(moment);
}

const secondsTo = (moment: number) => Math.max(0, Math.ceil((moment - Date.now()) / 1000));
