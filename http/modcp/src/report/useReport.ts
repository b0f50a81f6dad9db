import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { keys } from '../api/keys';
import { readReport, readTimeline } from '../api/reports';
import type { Report, TimelineEntry } from '../api/types';
import { useUser } from '../app/useSession';
import { takeIntoLists } from '../board/listCache';
import { useLive, usePollInterval } from '../live/LiveProvider';
import { entriesAfter, lastSequence } from './changes';

export interface Notice {
  /** `conflict`: a command of this moderator met a newer state; `changed`: somebody changed the report meanwhile. */
  kind: 'conflict' | 'changed';
  text: string | null;
  entries: TimelineEntry[];
}

const timelinePage = 50;
const pollEvery = 20_000;
/** Milliseconds in which the answer to one's own command lands before its live echo is looked at. */
const echo = 400;

/** The report, its whole timeline page by page, and what colleagues did to it since it was opened. */
export function useReport(id: string) {
  const client = useQueryClient();
  const self = useUser();
  const poll = usePollInterval(pollEvery);
  const [notice, setNotice] = useState<Notice | null>(null);

  const query = useQuery({
    queryKey: keys.report(id),
    queryFn: async ({ signal }) => {
      const report = await readReport(id, signal);
      takeIntoLists(client, report);
      return report;
    },
    refetchInterval: poll,
  });

  const timeline = useInfiniteQuery({
    queryKey: keys.timeline(id),
    queryFn: ({ pageParam, signal }) => readTimeline(id, { first: timelinePage, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => (page.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? undefined) : undefined),
    enabled: query.data !== undefined,
  });
  const entries = timeline.data?.pages.flatMap((page) => page.edges) ?? query.data?.timeline.edges ?? [];

  const seen = useRef({ id, sequence: 0 });
  if (seen.current.id !== id) seen.current = { id, sequence: 0 };
  useEffect(() => setNotice(null), [id]);

  /** What happened beyond what this screen has shown, without this moderator's own deeds. */
  const catchUp = useCallback(async (): Promise<TimelineEntry[]> => {
    const from = seen.current.sequence;
    const newest = await readTimeline(id, { first: 10, order: 'desc' });
    const fresh = entriesAfter(newest, from);
    seen.current.sequence = Math.max(from, lastSequence(newest.edges));
    return fresh.filter((entry) => entry.actor?.id !== self?.id);
  }, [id, self?.id]);

  // The first page that shows is where "since" begins; later pages come after what was told.
  const highest = lastSequence(entries);
  useEffect(() => {
    if (seen.current.sequence === 0) seen.current.sequence = highest;
  }, [highest]);

  const refresh = useCallback(async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: keys.report(id) }),
      client.invalidateQueries({ queryKey: keys.timeline(id) }),
      client.invalidateQueries({ queryKey: keys.related(id) }),
    ]);
  }, [client, id]);

  const lookForChanges = useCallback(async () => {
    if (seen.current.sequence === 0) return;
    try {
      const fresh = await catchUp();
      if (fresh.length === 0) return;
      setNotice({ kind: 'changed', text: null, entries: fresh });
    } catch {
      // The next event or poll asks again.
    }
    void refresh();
  }, [catchUp, refresh]);

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useLive((event) => {
    if (event.kind !== 'change' || event.reportId !== id || event.sequence <= seen.current.sequence) return;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void lookForChanges(), echo);
  });

  // Without the feed the poll of the report itself tells that it has moved.
  const version = query.data?.version;
  const notes = query.data?.noteCount;
  const known = useRef<{ id: string; version?: number; notes?: number }>({ id });
  useEffect(() => {
    const before = known.current;
    known.current = { id, version, notes };
    if (poll !== false && before.id === id && before.version !== undefined && (before.version !== version || before.notes !== notes)) {
      void lookForChanges();
    }
  }, [id, version, notes, poll, lookForChanges]);

  /** Own deeds are no news: what the answer of a command holds counts as seen. */
  const noteOwn = useCallback((report: Report) => {
    known.current = { id: report.id, version: report.version, notes: report.noteCount };
    seen.current.sequence = Math.max(seen.current.sequence, lastSequence(report.timeline.edges));
  }, []);

  return { query, timeline, entries, notice, setNotice, catchUp, refresh, noteOwn };
}

export type OpenReport = ReturnType<typeof useReport>;
