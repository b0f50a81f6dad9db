import type { Page, Report, TimelineEntry } from '../api/types';

/** The highest sequence among entries, 0 for none. */
export function lastSequence(entries: readonly Pick<TimelineEntry, 'sequence'>[]): number {
  return entries.reduce((highest, entry) => Math.max(highest, entry.sequence), 0);
}

/** Entries after a sequence, oldest first, whatever order they came in. */
export function entriesAfter(page: Page<TimelineEntry>, sequence: number): TimelineEntry[] {
  return page.edges.filter((entry) => entry.sequence > sequence).sort((a, b) => a.sequence - b.sequence);
}

/**
 * Returns the action that undoes this one: the only other action that is available and
 * permitted now. Undefined where there is none, or more than one.
 */
export function counterpart(report: Report, action: string): string | undefined {
  const others = report.actions.filter((other) => other.name !== action && other.available && other.permitted);
  return others.length === 1 ? others[0]!.name : undefined;
}

export const offers = (report: Report, move: string) => report.moves.includes(move);

/** The label for resolving; a report that is done gets "Change decision". */
export const resolveKey = (report: Report) => (report.status === 'done' ? 'report.changeDecision' : 'move.resolve');

export const runnable = (report: Report) => report.actions.filter((action) => action.available && action.permitted);

export const mayAct = (report: Report) => report.moves.length > 0 || report.actions.some((action) => action.permitted);
