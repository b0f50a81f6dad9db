import { useQueryClient } from '@tanstack/react-query';
import { createContext, lazy, Suspense, use, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { keys } from '../api/queryKeys';
import type { Report } from '../api/types';
import { storeReport } from '../board/listCache';
import { useI18n } from '../i18n/I18n';
import { shortcuts } from '../keyboard/shortcuts';
import { KeyHold, useShortcuts } from '../keyboard/ShortcutProvider';
import { useHeldBack } from '../session/heldBack';
import { useUser } from '../session/useSession';
import { useAnnounce } from '../ui/Announcer';
import { undoWindow } from '../ui/undoWindow';
import { BulkProgress } from './BulkProgress';
import { batches, sendBatch, sendLast, type BulkItem, type BulkKind, type BulkOrder, type Phase } from './job';
import { pool } from './pool';

export type { BulkKind } from './job';

const BulkDialog = lazy(() => import('./BulkDialog').then((m) => ({ default: m.BulkDialog })));

const width = 3;

interface Bulk {
  /** Opens the preview for these reports; `onOrdered` runs once the order is confirmed. Look-alikes are compared with the report that they are of. */
  open: (kind: BulkKind, items: BulkItem[], onOrdered?: () => void, against?: Report) => void;
}

const BulkContext = createContext<Bulk>({ open: () => {} });

/** Runs bulk work above the screens, so that it survives leaving the one it started on. */
export function BulkProvider({ children }: { children: ReactNode }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const announce = useAnnounce();
  const self = useUser()?.id ?? null;
  const [dialog, setDialog] = useState<{ kind: BulkKind; items: BulkItem[]; onOrdered?: () => void; against?: Report } | null>(null);
  const [phase, setPhase] = useState<Phase | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const waiting = useRef<BulkOrder | null>(null);
  const sending = useRef<Promise<boolean>>(Promise.resolve(true));

  const sendAll = useCallback(
    async (order: BulkOrder) => {
      setPhase({ name: 'sending', order, done: 0 });
      let done = 0;
      const answers = await pool(batches(order), width, async (batch) => {
        const some = await sendBatch(order, batch);
        for (const { report } of some) if (report !== null) storeReport(client, report);
        done += batch.length;
        setPhase({ name: 'sending', order, done });
        return some;
      });
      const last = await sendLast(order, self);
      for (const { report } of last) if (report !== null) storeReport(client, report);
      const outcomes = [...answers.flat(), ...last];
      void client.invalidateQueries({ queryKey: keys.allSimilar });
      setPhase({ name: 'finished', order, outcomes });
      const failed = outcomes.filter((outcome) => outcome.error !== null).length;
      announce(t('bulk.outcome', { ok: outcomes.length - failed, failed }));
      return failed === 0;
    },
    [announce, client, self, t],
  );

  const send = useCallback(
    (order: BulkOrder) => {
      clearTimeout(timer.current);
      waiting.current = null;
      sending.current = sendAll(order);
    },
    [sendAll],
  );

  const wait = useCallback(
    (order: BulkOrder, seconds: number) => {
      if (seconds === 0) {
        send(order);
        return;
      }
      waiting.current = order;
      setPhase({ name: 'waiting', order, seconds });
      timer.current = setTimeout(() => wait(order, seconds - 1), 1000);
    },
    [send],
  );

  const undo = useCallback(() => {
    clearTimeout(timer.current);
    waiting.current = null;
    setPhase(null);
    announce(t('bulk.undone'));
  }, [announce, t]);

  /** Sends a waiting order at once, when it can no longer be undone. */
  const flush = useCallback(() => {
    if (waiting.current !== null) send(waiting.current);
  }, [send]);
  const busy = phase?.name === 'waiting' || phase?.name === 'sending';
  useHeldBack(busy, async () => {
    flush();
    return !busy || (await sending.current);
  });

  useShortcuts(phase?.name === 'waiting' ? { [shortcuts.everywhere.undo.key]: undo } : {});

  const open = useCallback<Bulk['open']>((kind, items, onOrdered, against) => setDialog({ kind, items, onOrdered, against }), []);
  const value = useMemo(() => ({ open }), [open]);
  const { pathname } = useLocation();
  // The question is about what was chosen on a screen: it goes with it. What was ordered goes on.
  useEffect(() => {
    setDialog(null);
  }, [pathname]);

  return (
    <BulkContext value={value}>
      {children}
      {dialog !== null && (
        <Suspense fallback={<KeyHold />}>
          <BulkDialog
            kind={dialog.kind}
            items={dialog.items}
            against={dialog.against}
            close={() => setDialog(null)}
            order={(order) => {
              setDialog(null);
              dialog.onOrdered?.();
              flush();
              void sending.current.then(() => wait(order, undoWindow));
            }}
          />
        </Suspense>
      )}
      {phase !== null && (
        <BulkProgress
          phase={phase}
          undo={undo}
          now={send}
          close={() => setPhase(null)}
          retry={(kind, items) => {
            setPhase(null);
            setDialog({ kind, items });
          }}
        />
      )}
    </BulkContext>
  );
}

export function useBulk(): Bulk {
  return use(BulkContext);
}
