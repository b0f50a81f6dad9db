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
  /** False while a report that has notes is still read. */
  known: boolean;
}

/** How many other reports are read, those with notes first. */
const othersRead = 20;
const perReport = 50;

/** Notes and events of a report and of others on the same content, as one history. */
export function useHistory(open: OpenReport, report: Report | undefined, others: readonly ReportItem[]): History {
  const read = others.toSorted((a, b) => b.noteCount - a.noteCount).slice(0, othersRead);
  const told = useQueries({
    queries: read.map(({ id }) => ({ queryKey: [...keys.timeline(id), 'newest'], queryFn: ({ signal }: { signal: AbortSignal }) => readTimeline(id, { first: perReport, order: 'desc' }, signal) })),
  });
  const known = report !== undefined && told.every(({ isPending }, index) => !isPending || read[index]!.noteCount === 0);
  const entries = [
    ...(report === undefined ? [] : open.entries.map((entry) => ({ entry, of: report }))),
    ...told.flatMap(({ data }, index) => (data?.edges ?? []).map((entry) => ({ entry, of: read[index]! }))),
  ].sort((a, b) => b.entry.occurredAt.localeCompare(a.entry.occurredAt) || b.entry.sequence - a.entry.sequence);
  return { entries, known };
}
