import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { asApiError } from '../../api/http';
import { keys } from '../../api/queryKeys';
import {
  assignReport, claimReport, escalateReport, reopenReport, returnReport, runAction, unassignReport, type Decision,
} from '../../api/reports';
import type { Report, ReportItem } from '../../api/types';
import { storeReport } from '../../board/listCache';
import { useI18n } from '../../i18n/I18n';
import { useToasts } from '../../ui/Toasts';
import { useErrorText } from '../../ui/useErrorText';
import { actionLabel } from './actionLabel';
import { counterpart, offers } from '../possibleMoves';
import type { DecisionOrder } from '../../decision/decisionHold';
import { useDecisions } from '../../decision/DecisionProvider';
import type { OpenReport } from '../useReport';

/** Runs the commands of one report, and with it those about who holds it of the others of its case. A conflict becomes a notice, and drafts are kept. */
export function useReportCommands(open: OpenReport, others: readonly Pick<ReportItem, 'id' | 'version'>[]) {
  const { t } = useI18n();
  const client = useQueryClient();
  const toasts = useToasts();
  const errorText = useErrorText();
  const [pending, setPending] = useState<string | null>(null);
  const running = useRef(false);
  const report = open.query.data;
  const decisions = useDecisions();
  const decided = report !== undefined && decisions.held.get(report.id)?.error === null;

  const accept = useCallback(
    (next: Report) => {
      open.noteOwn(next);
      storeReport(client, next);
      void client.invalidateQueries({ queryKey: keys.related(next.id) });
    },
    [client, open],
  );

  const refused = useCallback(
    async (error: unknown) => {
      const failure = asApiError(error);
      const text = errorText(failure);
      if (failure.status !== 409) {
        toasts.show({ text, tone: 'error' });
        if (failure.code === 'network') return;
        await open.refresh();
        return;
      }
      const entries = await open.catchUp().catch(() => []);
      void client.invalidateQueries({ queryKey: keys.cases });
      if (isReport(failure.body.current)) storeReport(client, failure.body.current);
      else await open.refresh();
      open.setNotice({ kind: 'conflict', text, entries });
    },
    [client, errorText, open, toasts],
  );

  /** Runs one command at a time. Returns the report after it, or null where it was refused. */
  const run = useCallback(
    async (name: string, send: (report: Report) => Promise<Report>, then?: () => Promise<unknown>): Promise<Report | null> => {
      if (report === undefined || decided || running.current) return null;
      running.current = true;
      setPending(name);
      try {
        const next = await send(report);
        open.setNotice(null);
        accept(next);
        await then?.();
        return next;
      } catch (error) {
        await refused(error);
        return null;
      } finally {
        running.current = false;
        setPending(null);
      }
    },
    [accept, decided, open, refused, report],
  );

  /** Runs a command of the report on show, then of the others; what a colleague was faster with is left to them. */
  const runForAll = useCallback(
    (name: string, send: (report: Pick<Report, 'id' | 'version'>) => Promise<Report>): Promise<Report | null> =>
      run(name, send, async () => {
        if (others.length === 0) return;
        await Promise.allSettled(others.map(send));
        // The next step needs the versions after this one.
        await client.invalidateQueries({ queryKey: keys.cases });
      }),
    [client, others, run],
  );

  const undoMove = useCallback(
    (next: Report) => async () => {
      try {
        accept(await unassignReport(next.id, next.version));
      } catch (error) {
        await refused(error);
      }
    },
    [accept, refused],
  );

  const claim = useCallback(async () => {
    const next = await runForAll('claim', (current) => claimReport(current.id, current.version));
    if (next !== null) toasts.show({ text: t('report.claimed'), undo: offers(next, 'unassign') && others.length === 0 ? () => void undoMove(next)() : undefined });
    return next;
  }, [others, runForAll, t, toasts, undoMove]);

  const unassign = useCallback(async () => {
    const next = await runForAll('unassign', (current) => unassignReport(current.id, current.version));
    if (next !== null) toasts.show({ text: t('report.released') });
    return next;
  }, [runForAll, t, toasts]);

  const assign = useCallback(
    async (assigneeId: string) => {
      const next = await runForAll('assign', (current) => assignReport(current.id, current.version, assigneeId));
      if (next !== null) toasts.show({ text: t('report.assignedTo', { name: next.assignee?.name ?? '' }) });
      return next;
    },
    [runForAll, t, toasts],
  );

  const escalate = useCallback(
    async (to: string, note: string) => {
      const next = await runForAll('escalate', (current) => escalateReport(current.id, current.version, to, note));
      if (next !== null) toasts.show({ text: t('escalation.done') });
      return next;
    },
    [runForAll, t, toasts],
  );

  const giveBack = useCallback(
    async (note: string | null) => {
      const next = await runForAll('return', (current) => returnReport(current.id, current.version, note));
      if (next !== null) toasts.show({ text: t('escalation.returned') });
      return next;
    },
    [runForAll, t, toasts],
  );

  /** Decides the report as shown, with others or alone, unless another command is under way. It is sent once the time to undo is over. */
  const resolve = useCallback(
    (decision: Decision, action: string | null, together: DecisionOrder['together'], draft: string): boolean => {
      if (report === undefined || decided || running.current) return false;
      open.setNotice(null);
      decisions.hold({ report, together, draft, title: report.snapshot?.title ?? null, decision, action });
      return true;
    },
    [decided, decisions, open, report],
  );

  const reopen = useCallback(
    async (reason: string) => {
      const next = await run('reopen', (current) => reopenReport(current.id, current.version, reason));
      if (next !== null) toasts.show({ text: t('report.reopened') });
      return next;
    },
    [run, t, toasts],
  );

  const act = useCallback(
    async (action: string) => {
      const next = await run(action, (current) => runAction(current.id, current.version, action));
      if (next === null) return null;
      const label = actionLabel(t, action);
      if (next.held !== null) {
        toasts.show({ text: t('held.sent') });
        return next;
      }
      if (next.actions.some(({ name, pending }) => name === action && pending === true)) {
        toasts.show({ text: t('action.pending', { action: label }) });
        return next;
      }
      const back = counterpart(next, action);
      toasts.show({
        text: action === 'hide' || action === 'unhide' ? t(`report.actionDone.${action}`) : t('report.actionDone', { action: label }),
        undo:
          back === undefined
            ? undefined
            : () => {
                void runAction(next.id, next.version, back).then(accept, refused);
              },
      });
      return next;
    },
    [accept, refused, run, t, toasts],
  );

  return { pending: decided ? 'resolve' : pending, claim, unassign, assign, escalate, giveBack, resolve, reopen, act, accept, refused };
}

export type ReportCommands = ReturnType<typeof useReportCommands>;

function isReport(value: unknown): value is Report {
  return typeof value === 'object' && value !== null && typeof (value as Report).id === 'string' && Array.isArray((value as Report).moves);
}
