import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { keys } from '../api/queryKeys';
import { listReports, readReport } from '../api/reports';
import type { Page, ReportItem } from '../api/types';
import { useLive, usePollInterval } from '../live/LiveProvider';
import { countsOf, listOf } from './boardQuery';
import { listQuery, type BoardFilters } from './filters';
import { throttle } from '../ui/throttle';
import { storeInLists } from './listCache';

const pollEvery = 20_000;
/** Milliseconds between two probes for arrivals. */
const probeEvery = 700;
/** Milliseconds between two reads of the counts. */
const countEvery = 1_000;

/** The list, its counts, and what has arrived since the list was read. */
export function useBoardData(filters: BoardFilters) {
  const client = useQueryClient();
  const poll = usePollInterval(pollEvery);

  const list = useQuery({
    ...listOf(filters),
    placeholderData: keepPreviousData,
    // The list is read again only when its reader asks for it.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

  const counts = useQuery({
    ...countsOf(filters),
    placeholderData: keepPreviousData,
    refetchInterval: poll,
  });

  const arrived = useArrivals(filters, list.data, list.dataUpdatedAt, poll);

  const refresh = useCallback(() => {
    void client.invalidateQueries({ queryKey: keys.reports });
  }, [client]);

  useCountUpdates();
  useRowUpdates(list.data);
  return { list, counts, arrived, refresh };
}

/** Counts reports of this list that are newer than what it shows. They are announced, and inserted only on request. */
function useArrivals(filters: BoardFilters, page: Page<ReportItem> | undefined, readAt: number, poll: number | false): number {
  const [arrived, setArrived] = useState(0);
  const [trigger, setTrigger] = useState(0);
  const atTop = filters.cursor === '' && filters.sort === 'newest';
  const known = useRef(page);
  known.current = page;
  const probedAt = useRef(-Infinity);

  useEffect(() => {
    setArrived(0);
  }, [readAt, filters]);

  useEffect(() => {
    if (poll === false || !atTop) return;
    const timer = setInterval(() => setTrigger((count) => count + 1), poll);
    return () => clearInterval(timer);
  }, [poll, atTop]);

  useLive((event) => {
    if (event.kind === 'change' && (event.type === 'created' || event.type === 'reopened')) setTrigger((count) => count + 1);
  });

  useEffect(() => {
    if (trigger === 0 || !atTop) return;
    const abort = new AbortController();
    const probe = () => {
      probedAt.current = performance.now();
      listReports(listQuery(filters, Date.now()), abort.signal).then(
        (fresh) => {
          const seen = new Set(known.current?.edges.map((row) => row.id));
          setArrived(fresh.edges.filter((row) => !seen.has(row.id) && isNewer(row, known.current)).length);
        },
        () => {
          // The next probe tries again.
        },
      );
    };
    const wait = probedAt.current + probeEvery - performance.now();
    let timer: ReturnType<typeof setTimeout> | undefined;
    // The first is sent at once, since browsers delay the timers of hidden tabs by seconds.
    if (wait <= 0) probe();
    else timer = setTimeout(probe, wait);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [trigger, atTop, filters]);

  return arrived;
}

function isNewer(row: ReportItem, page: Page<ReportItem> | undefined): boolean {
  const top = page?.edges[0];
  return top === undefined || row.createdAt > top.createdAt;
}

/** Refetches the counts after changes, once a second at most. */
function useCountUpdates(): void {
  const client = useQueryClient();
  const [throttled] = useState(() => throttle(countEvery, () => void client.invalidateQueries({ queryKey: keys.allCounts })));
  useEffect(() => {
    return () => throttled.cancel();
  }, [throttled]);
  useLive((event) => {
    if (event.kind === 'change') throttled.call();
  });
}

/** Refetches each shown report that the live feed reports a change of. */
function useRowUpdates(page: Page<ReportItem> | undefined): void {
  const client = useQueryClient();
  const waiting = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  useLive((event) => {
    if (event.kind !== 'change') return;
    const row = page?.edges.find((candidate) => candidate.id === event.reportId);
    if (row === undefined || (event.version <= row.version && !event.type.startsWith('note_'))) return;
    waiting.current.add(event.reportId);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const ids = [...waiting.current];
      waiting.current.clear();
      for (const id of ids) {
        readReport(id).then(
          (report) => storeInLists(client, report),
          () => {
            // It may have left the caller's scope; the row stays until the list is read again.
          },
        );
      }
    }, 250);
  });
}
