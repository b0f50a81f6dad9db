import type { Page, TimelineEntry } from '../../api/types';

/** Reads every page of a timeline, oldest first; `read` returns the page after a cursor. */
export async function wholeTimeline(read: (cursor: string) => Promise<Page<TimelineEntry>>): Promise<TimelineEntry[]> {
  const entries: TimelineEntry[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: Page<TimelineEntry> = await read(cursor);
    entries.push(...page.edges);
    cursor = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  }
  return entries;
}
