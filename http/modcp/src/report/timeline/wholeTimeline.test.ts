import { describe, expect, it } from 'vitest';
import type { Page, TimelineEntry } from '../../api/types';
import { wholeTimeline } from './wholeTimeline';

const entry = (sequence: number): TimelineEntry => ({ id: String(sequence), sequence, type: 'note_added', actor: null, version: 1, occurredAt: '2026-01-01T00:00:00Z', data: {} });

describe('a whole timeline', () => {
  it.each([
    ['nothing', 0, ['']],
    ['one page', 3, ['']],
    ['a page that is just full', 4, ['']],
    ['several pages', 9, ['', '4', '8']],
  ])('of %s', async (_name, total, cursors) => {
    const asked: string[] = [];
    const read = (cursor: string): Promise<Page<TimelineEntry>> => {
      asked.push(cursor);
      const from = Number(cursor);
      const edges = Array.from({ length: Math.min(4, total - from) }, (_, index) => entry(from + index + 1));
      const last = from + edges.length;
      return Promise.resolve({ edges, pageInfo: { startCursor: null, endCursor: edges.length === 0 ? null : String(last), hasNextPage: last < total, hasPreviousPage: from > 0, totalCount: null } });
    };
    expect((await wholeTimeline(read)).map((one) => one.sequence)).toEqual(Array.from({ length: total }, (_, index) => index + 1));
    expect(asked).toEqual(cursors);
  });
});
