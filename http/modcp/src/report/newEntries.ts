import type { Page, TimelineEntry } from '../api/types';

/** The highest sequence among entries, 0 for none. */
export function lastSequence(entries: readonly Pick<TimelineEntry, 'sequence'>[]): number {
  return entries.reduce((highest, entry) => Math.max(highest, entry.sequence), 0);
}

/** Entries after a sequence, oldest first, whatever order they came in. */
export function entriesAfter(page: Page<TimelineEntry>, sequence: number): TimelineEntry[] {
  return page.edges.filter((entry) => entry.sequence > sequence).sort((a, b) => a.sequence - b.sequence);
}
