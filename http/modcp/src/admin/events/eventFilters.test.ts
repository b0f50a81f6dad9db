import { describe, expect, it } from 'vitest';
import { eventQuery, readEventFilters, readPosition, unfiltered, writeEventFilters } from './eventFilters';

const read = (query: string) => readEventFilters(new URLSearchParams(query));

describe('filters of the event log', () => {
  it.each([
    ['', { order: 'desc', after: 0 }],
    ['order=asc&after=42', { order: 'asc', after: 42 }],
    ['order=sideways&after=-1', { order: 'desc', after: 0 }],
    ['after=9007199254740993', { order: 'desc', after: 0 }],
    ['after=7&type=created', { order: 'desc', after: 0, type: 'created' }],
    ['from=soon&to=2026-02-28', { order: 'desc', after: 0, to: '2026-02-28' }],
  ] as const)('%j is read, and nonsense is as if absent', (query, expected) => {
    expect(read(query)).toEqual({ ...unfiltered, ...expected });
  });

  it.each(['', 'order=asc', 'after=7', 'order=asc&after=7', 'order=asc&actor=a&type=created&report=r&from=2026-02-27&to=2026-02-28'])(
    '%j survives the way into the URL and back',
    (query) => {
      expect(writeEventFilters(read(query)).toString()).toBe(query);
    },
  );

  it('days are asked for whole', () => {
    const { occurredAfter, occurredBefore } = eventQuery(read('from=2026-02-28&to=2026-02-28'));
    expect([occurredAfter, occurredBefore]).toEqual([new Date('2026-02-28T00:00').toISOString(), new Date('2026-03-01T00:00').toISOString()]);
    expect(eventQuery(read('')).occurredBefore).toBe('');
  });

  it.each([
    ['', 0],
    [' 12 ', 12],
    ['1e3', null],
    ['-1', null],
    ['1.5', null],
    ['twelve', null],
  ])('a typed position %j is %j', (text, expected) => {
    expect(readPosition(text)).toBe(expected);
  });
});
