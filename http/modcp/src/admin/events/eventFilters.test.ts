import { describe, expect, it } from 'vitest';
import { readEventFilters, readPosition, writeEventFilters } from './eventFilters';

describe('filters of the event log', () => {
  it.each([
    ['', { order: 'desc', after: 0 }],
    ['order=asc&after=42', { order: 'asc', after: 42 }],
    ['order=sideways&after=-1', { order: 'desc', after: 0 }],
    ['after=9007199254740993', { order: 'desc', after: 0 }],
  ] as const)('%j is read, and nonsense is as if absent', (query, expected) => {
    expect(readEventFilters(new URLSearchParams(query))).toEqual(expected);
  });

  it.each(['', 'order=asc', 'after=7', 'order=asc&after=7'])('%j survives the way into the URL and back', (query) => {
    expect(writeEventFilters(readEventFilters(new URLSearchParams(query))).toString()).toBe(query);
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
