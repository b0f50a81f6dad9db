import { useQueries } from '@tanstack/react-query';
import { keys } from '../../api/queryKeys';
import { readTimeline } from '../../api/reports';
import type { Report, ReportItem, TimelineEntry } from '../../api/types';
import type { OpenReport } from '../useReport';
import type { Parties } from './useEntryText';

export interface HistoryEntry {
  entry: TimelineEntry;
  of: Parties;
}

export interface History {
  /** Newest first. */
  entries: HistoryEntry[];
  /** False while a report that has notes is still read, or could not be. */
  known: boolean;
  /** Why one could not be read; undefined where nothing failed. */
  error: unknown;
  retry: () => void;
}

/** How many other reports are read, those with notes first. */
const othersRead = 20;
const perReport = 50;

/** Notes and events of a report and of others on the same content, as one history. */
export function useHistory(open: OpenReport, report: Report | undefined, others: readonly ReportItem[]): History {
  const { timeline } = open;
  // A timeline of several pages is read from both ends.
  const long = report !== undefined && timeline.hasNextPage ? [report] : [];
  const read = [...long, ...others.toSorted((a, b) => b.noteCount - a.noteCount).slice(0, othersRead)];
  const told = useQueries({
    queries: read.map(({ id }) => ({ queryKey: [...keys.timeline(id), 'newest'], queryFn: ({ signal }: { signal: AbortSignal }) => readTimeline(id, { first: perReport, order: 'desc' }, signal) })),
  });
  const sources = report === undefined ? [] : [{ of: report, query: timeline }, ...told.map((query, index) => ({ of: read[index]!, query }))];
  const unknown = sources.filter(({ of, query }) => of.noteCount > 0 && !query.isSuccess);
  return {
    entries: asOneHistory([...(report === undefined ? [] : open.entries.map((entry) => ({ entry, of: report }))), ...told.flatMap(({ data }, index) => (data?.edges ?? []).map((entry) => ({ entry, of: read[index]! })))]),
    known: report !== undefined && unknown.length === 0,
    error: unknown.find(({ query }) => query.isError)?.query.error,
    retry: () => unknown.forEach(({ query }) => void query.refetch()),
  };
}

/** Each entry once, newest first. */
export const asOneHistory = (entries: readonly HistoryEntry[]): HistoryEntry[] =>
  [...new Map(entries.map((one) => [one.entry.id, one])).values()].sort((a, b) => b.entry.occurredAt.localeCompare(a.entry.occurredAt) || b.entry.sequence - a.entry.sequence);
