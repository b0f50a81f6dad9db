import { useQueryClient } from '@tanstack/react-query';
import { createContext, use, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { useMatch } from 'react-router';
import { asApiError, type ApiError } from '../api/http';
import { keys } from '../api/queryKeys';
import { sendDecision } from '../api/cases';
import { storeReport } from '../board/listCache';
import { useI18n } from '../i18n/I18n';
import { useHeldBack } from '../session/heldBack';
import { useAnnounce } from '../ui/Announcer';
import { useToasts } from '../ui/Toasts';
import { undoWindow } from '../ui/undoWindow';
import { useErrorText } from '../ui/useErrorText';
import { DecisionHold, type DecisionOrder, type HeldDecision } from './decisionHold';
import { decisionDraft, dropDraft } from '../storage/drafts';

interface Decisions {
  held: ReadonlyMap<string, HeldDecision>;
  hold: (order: DecisionOrder) => void;
  sendNow: (reportId: string) => void;
  takeBack: (reportId: string) => void;
  /** Why the last decision on a report was refused, until its screen has shown it. */
  refusals: ReadonlyMap<string, ApiError>;
  shown: (reportId: string) => void;
}

const none = new Map<string, never>();
const DecisionContext = createContext<Decisions>({ held: none, hold: () => {}, sendNow: () => {}, takeBack: () => {}, refusals: none, shown: () => {} });

/** Holds decisions back before they are sent, whichever screen is open by then. */
export function DecisionProvider({ children }: { children: ReactNode }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const toasts = useToasts();
  const announce = useAnnounce();
  const errorText = useErrorText();
  const [refusals, setRefusals] = useState<ReadonlyMap<string, ApiError>>(none);
  const offers = useRef(new Map<string, () => void>());

  const send = async (order: DecisionOrder) => {
    const { title, decision } = order;
    const reportId = order.report.id;
    offers.current.get(reportId)?.();
    offers.current.delete(reportId);
    try {
      storeReport(client, await sendDecision(order));
      dropDraft(decisionDraft(reportId));
      void client.invalidateQueries({ queryKey: keys.related(reportId) });
      toasts.show({ text: t('report.resolvedAs', { resolution: t(`resolution.${decision.resolution}`) }) });
      return true;
    } catch (error) {
      const refusal = asApiError(error);
      // A policy may have been retired meanwhile.
      if (refusal.status === 400) void client.invalidateQueries({ queryKey: keys.policies });
      setRefusals((all) => new Map(all).set(reportId, refusal));
      toasts.show({ text: t('report.notResolved', { title: title ?? t('board.untitled'), why: errorText(refusal) }), tone: 'error' });
      return false;
    }
  };
  const latest = useRef(send);
  useEffect(() => {
    latest.current = send;
  });

  const [store] = useState(() => new DecisionHold({ wait: undoWindow * 1000, send: (order) => latest.current(order) }));
  const held = useSyncExternalStore(store.subscribe, store.all);
  useHeldBack(held.size > 0, () => store.sendAll());

  const takeBack = useCallback(
    (reportId: string) => {
      offers.current.get(reportId)?.();
      offers.current.delete(reportId);
      if (store.takeBack(reportId)) announce(t('bulk.undone'));
    },
    [announce, store, t],
  );
  const hold = useCallback(
    (order: DecisionOrder) => {
      if (!store.hold(order)) return;
      announce(t('report.waiting', { resolution: t(`resolution.${order.decision.resolution}`), seconds: undoWindow }));
    },
    [announce, store, t],
  );

  // The report's own screen offers the undo beside the decision; any other screen in a toast.
  const open = useMatch('/modcp/reports/:id')?.params.id;
  useEffect(() => {
    for (const [reportId, { decision, until }] of held) {
      if (reportId === open) {
        offers.current.get(reportId)?.();
        offers.current.delete(reportId);
      } else if (until > 0 && !offers.current.has(reportId)) {
        const close = toasts.show({
          text: t('report.resolving', { resolution: t(`resolution.${decision.resolution}`) }),
          tone: 'wait',
          lasts: until - Date.now(),
          undo: () => takeBack(reportId),
        });
        offers.current.set(reportId, close);
      }
    }
  }, [held, open, t, takeBack, toasts]);

  const sendNow = useCallback((reportId: string) => store.sendNow(reportId), [store]);
  const shown = useCallback((reportId: string) => setRefusals((all) => new Map([...all].filter(([id]) => id !== reportId))), []);

  const value = useMemo(() => ({ held, hold, sendNow, takeBack, refusals, shown }), [held, hold, sendNow, takeBack, refusals, shown]);
  return <DecisionContext value={value}>{children}</DecisionContext>;
}

export function useDecisions(): Decisions {
  return use(DecisionContext);
}
