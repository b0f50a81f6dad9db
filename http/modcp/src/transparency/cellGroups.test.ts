import { describe, expect, it } from 'vitest';
import { groupsOf, sizeOf } from './cellGroups';

describe('the cells of a report', () => {
  it('are grouped by what is counted', () => {
    expect(
      groupsOf([
        { name: 'automation.hidden', value: 1 },
        { name: 'filings', value: 9 },
        { name: 'filings.type.forum.post', value: 9 },
        { name: 'filings.type.forum.topic', value: '<5' },
      ]),
    ).toEqual([
      { name: 'automation', cells: [{ rest: 'hidden', value: 1 }] },
      { name: 'filings', cells: [{ rest: '', value: 9 }] },
      { name: 'filings.type', cells: [{ rest: 'forum.post', value: 9 }, { rest: 'forum.topic', value: '<5' }] },
    ]);
  });

  it('have a size although they are masked', () => {
    expect(sizeOf('<5')).toBe(2.5);
    expect(sizeOf(0)).toBe(0);
  });
});
