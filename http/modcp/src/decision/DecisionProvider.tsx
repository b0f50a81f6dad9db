import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, use, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { sendDecision } from '../api/cases';
import { asApiError, type ApiError } from '../api/http';
import { keys } from '../api/queryKeys';
import { storeReport } from '../board/listCache';
import { countDecision } from '../care/care';
import { useI18n } from '../i18n/I18n';
import { useHeldBack } from '../session/heldBack';
import { sessionQuery } from '../session/useSession';
import { useAnnounce } from '../ui/Announcer';
import { useToasts } from '../ui/Toasts';
import { undoWindow } from '../ui/undoWindow';
import { useErrorText } from '../ui/useErrorText';
import { DecisionHold, passes, type DecisionOrder, type HeldDecision } from './decisionHold';
import { writeDraft } from '../storage/drafts';
import { useFillIn } from './useFillIn';
import { DecisionTray, pathOf } from './DecisionTray';

interface Decisions {
  held: ReadonlyMap<string, HeldDecision>;
  hold: (order: Omit<DecisionOrder, 'by'>) => void;
  sendNow: (reportId: string) => void;
  /** Takes a decision back that waits, or gives one up that failed. */
  takeBack: (reportId: string) => void;
  /** Removes a decision that was refused, once its screen has shown why. */
  drop: (reportId: string) => void;
}

const DecisionContext = createContext<Decisions>({ held: new Map(), hold: () => {}, sendNow: () => {}, takeBack: () => {}, drop: () => {} });

/** Milliseconds after which a decision that found no server is sent again. */
const retryEvery = 10_000;

/** Holds decisions back before they are sent, and keeps those that failed, whichever screen is open by then. */
export function DecisionProvider({ children }: { children: ReactNode }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const navigate = useNavigate();
  const toasts = useToasts();
  const announce = useAnnounce();
  const errorText = useErrorText();
  const { pathname } = useLocation();
  /** Reports whether the screen that is open shows the decision itself. */
  const shown = useCallback((order: DecisionOrder) => pathname === `/modcp/reports/${order.report.id}` || pathname === pathOf(order), [pathname]);
  const self = useQuery({ ...sessionQuery, enabled: false }).data?.user?.id ?? null;

  const send = async (order: DecisionOrder): Promise<ApiError | null> => {
    const { title, decision, by } = order;
    const reportId = order.report.id;
    // Nobody sends what another account decided in this browser.
    if (self !== null && by !== null && by !== self) {
      writeDraft(order.draft, null);
      toasts.show({ text: t('report.dropped', { title: title ?? t('board.untitled') }), tone: 'error' });
      return null;
    }
    try {
      const { report, outcome } = await sendDecision(order);
      writeDraft(order.draft, null);
      if (report === undefined) void client.invalidateQueries({ queryKey: keys.report(reportId) });
      else {
        storeReport(client, report);
        if (by !== null && report.held === null) countDecision(by, report.reason);
      }
      void client.invalidateQueries({ queryKey: keys.related(reportId) });
      if (outcome !== null) for (const queryKey of [keys.reports, keys.cases]) void client.invalidateQueries({ queryKey });
      void client.invalidateQueries({ queryKey: keys.held });
      const done = report?.held != null ? t('held.sent') : outcome === null ? t('report.resolvedAs', { resolution: t(`resolution.${decision.resolution}`) }) : t('cases.done', { count: outcome.reports.length, remaining: outcome.remaining });
      toasts.show({ text: shown(order) || title === null ? done : `${done} ${title}` });
      return null;
    } catch (error) {
      const refusal = asApiError(error);
      // A policy may have been retired meanwhile.
      if (refusal.status === 400) void client.invalidateQueries({ queryKey: keys.policies });
      if (refusal.status === 401) void client.invalidateQueries({ queryKey: keys.session });
      announce(t('report.notResolved', { title: title ?? t('board.untitled'), why: errorText(refusal) }), true);
      return refusal;
    }
  };
  const latest = useRef(send);
  useEffect(() => {
    latest.current = send;
  });

  const [store] = useState(() => new DecisionHold({ wait: undoWindow * 1000, send: (order) => latest.current(order) }));
  const held = useSyncExternalStore(store.subscribe, store.all);
  useHeldBack(held.size > 0, () => store.sendAll());

  const failed = [...held.values()].some(({ error }) => error !== null && passes(error));
  useEffect(() => {
    if (!failed) return;
    const again = (status: (status: number) => boolean) => {
      for (const [id, { error }] of store.all()) if (error !== null && status(error.status)) store.sendNow(id);
    };
    const onOnline = () => again((status) => status === 0);
    const timer = setInterval(() => again((status) => status === 0 || status >= 500), retryEvery);
    window.addEventListener('online', onOnline);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', onOnline);
    };
  }, [failed, store]);
  useEffect(() => {
    if (self === null) return;
    for (const [id, { error }] of store.all()) if (error?.status === 401) store.sendNow(id);
  }, [self, store]);

  const takeBack = useCallback(
    (reportId: string) => {
      const order = store.all().get(reportId);
      if (order === undefined || !store.takeBack(reportId)) return;
      if (shown(order)) announce(t('bulk.undone'));
      else toasts.show({ text: t('bulk.undone'), way: { text: t('tray.open', { title: order.title ?? t('board.untitled') }), go: () => void navigate(pathOf(order)) } });
    },
    [announce, navigate, shown, store, t, toasts],
  );
  const fillIn = useFillIn();
  const hold = useCallback(
    (order: Omit<DecisionOrder, 'by'>) => {
      if (!store.hold({ ...order, by: self })) return;
      // One that is taken back or refused is found in the form.
      fillIn(order.draft, order.decision, order.action);
      announce(t('report.waiting', { resolution: t(`resolution.${order.decision.resolution}`), seconds: undoWindow }));
    },
    [announce, fillIn, self, store, t],
  );
  const sendNow = useCallback((reportId: string) => store.sendNow(reportId), [store]);
  const drop = useCallback((reportId: string) => void store.takeBack(reportId), [store]);

  const value = useMemo(() => ({ held, hold, sendNow, takeBack, drop }), [held, hold, sendNow, takeBack, drop]);
  return (
    <DecisionContext value={value}>
      {children}
      <DecisionTray decisions={[...held.values()].filter((order) => !shown(order))} sendNow={sendNow} takeBack={takeBack} />
    </DecisionContext>
  );
}

export function useDecisions(): Decisions {
  return use(DecisionContext);
}
