import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { keys } from '../api/queryKeys';
import { readTimeline } from '../api/reports';
import type { Report, TimelineEntry } from '../api/types';
import { useUser } from '../session/useSession';
import { useLive, usePollInterval } from '../live/LiveProvider';
import { entriesAfter, lastSequence } from './newEntries';
import { reportQuery } from './reportQuery';

export interface Notice {
  /** `conflict`: a command failed because the report had changed; `changed`: somebody changed it while it was open. */
  kind: 'conflict' | 'changed';
  text: string | null;
  entries: TimelineEntry[];
}

const timelinePage = 50;
const pollEvery = 20_000;
/** An outcome that changes nothing is not in the live feed. */
const pollPendingEvery = 2_000;
/** Milliseconds to wait for the answer to one's own command before its live event is handled. */
const echo = 400;

/** Reports whether a platform has yet to answer a requested action or measure. */
const awaitsPlatform = (report: Report | undefined) => [...(report?.actions ?? []), ...(report?.measures ?? [])].some(({ pending }) => pending === true);

/** The report, its timeline page by page, and what colleagues changed since it was opened. */
export function useReport(id: string) {
  const client = useQueryClient();
  const self = useUser();
  const poll = usePollInterval(pollEvery);
  const [told, setTold] = useState<{ id: string; notice: Notice | null }>({ id, notice: null });
  const notice = told.id === id ? told.notice : null;
  /** One that comes after its report was left is not shown on the next. */
  const setNotice = useCallback((next: Notice | null) => setTold((before) => (next === null && before.id !== id ? before : { id, notice: next })), [id]);

  const query = useQuery({
    ...reportQuery(client, id),
    refetchInterval: (shown) => (awaitsPlatform(shown.state.data) ? pollPendingEvery : poll),
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
  /** Returns entries that this screen has not shown yet, without this moderator's own and those of machines. */
  const catchUp = useCallback(async (): Promise<TimelineEntry[]> => {
    const from = seen.current.id === id ? seen.current.sequence : 0;
    const newest = await readTimeline(id, { first: 10, order: 'desc' });
    const fresh = entriesAfter(newest, from);
    if (seen.current.id === id) seen.current.sequence = Math.max(from, lastSequence(newest.edges));
    return fresh.filter((entry) => entry.actor?.id !== self?.id && entry.type !== 'signalled' && entry.type !== 'rule_matched');
  }, [id, self?.id]);

  // The first page marks where "since" begins.
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
      const before = seen.current.sequence;
      const fresh = await catchUp();
      // Later effects of one's own command, such as the answer of a platform, are new as well.
      if (seen.current.sequence === before) return;
      if (fresh.length > 0) setNotice({ kind: 'changed', text: null, entries: fresh });
    } catch {
      // The next event or poll tries again.
    }
    void refresh();
  }, [catchUp, refresh, setNotice]);

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useLive((event) => {
    if (event.kind !== 'change' || event.reportId !== id || event.sequence <= seen.current.sequence) return;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void lookForChanges(), echo);
  });

  // Without the feed, polling the report shows that it has changed.
  const version = query.data?.version;
  const notes = query.data?.noteCount;
  const awaits = awaitsPlatform(query.data);
  const known = useRef<{ id: string; version?: number; notes?: number; awaits?: boolean }>({ id });
  useEffect(() => {
    const before = known.current;
    known.current = { id, version, notes, awaits };
    if (before.id !== id || before.version === undefined) return;
    const answered = before.awaits === true && !awaits;
    if (answered || (poll !== false && (before.version !== version || before.notes !== notes))) void lookForChanges();
  }, [id, version, notes, awaits, poll, lookForChanges]);

  /** Marks everything in the answer to one's own command as seen. */
  const noteOwn = useCallback((report: Report) => {
    // The answer may come after its report was left.
    if (seen.current.id !== report.id) return;
    known.current = { id: report.id, version: report.version, notes: report.noteCount, awaits: awaitsPlatform(report) };
    seen.current.sequence = Math.max(seen.current.sequence, lastSequence(report.timeline.edges));
  }, []);

  return { query, timeline, entries, notice, setNotice, catchUp, refresh, noteOwn };
}

export type OpenReport = ReturnType<typeof useReport>;
