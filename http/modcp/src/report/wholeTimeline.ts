import type { Page, TimelineEntry } from '../api/types';

/** Every entry of a timeline, oldest first, however many pages they fill; `read` gives the page behind a cursor. */
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
