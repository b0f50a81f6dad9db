import { describe, expect, it } from 'vitest';
import { activeFilterCount, changeFilters, defaultFilters, listQuery, readFilters, stillFits, writeFilters, type BoardFilters } from './filters';

const all: BoardFilters = {
  status: 'done',
  assigned: 'me',
  type: 'forum.post',
  reason: 'spam',
  policy: 'no-spam',
  tag: 'shop-links',
  scope: 'forum.category:general',
  search: 'a b&c=d',
  author: 'forum:1',
  locale: 'ar',
  time: '7d',
  target: '42',
  sort: 'oldest',
  caseSort: 'due',
  only: 'overdue',
  muted: 'shown',
  cursor: 'abc_-',
  direction: 'before',
};

describe('filters in the URL', () => {
  it('come back as they went', () => {
    expect(readFilters(new URLSearchParams(writeFilters(all).toString()))).toEqual(all);
  });

  it('leave defaults out, so that the plain list has the plain address', () => {
    expect(writeFilters(defaultFilters).toString()).toBe('');
  });

  it.each([
    ['an unknown status', 'status=burnt', 'status', 'new'],
    ['an unknown reason', 'reason=boredom', 'reason', ''],
    ['an unknown time', 'time=1y', 'time', ''],
    ['an unknown order', 'sort=random', 'sort', 'newest'],
    ['what is no tag', 'tag=No+Tag', 'tag', ''],
  ] as const)('take %s as absent', (_name, query, field, expected) => {
    expect(readFilters(new URLSearchParams(query))[field]).toBe(expected);
  });

  it('start over at the first page when the list changes', () => {
    expect(changeFilters(all, { reason: 'abusive' })).toEqual({ ...all, reason: 'abusive', cursor: '', direction: 'after' });
  });

  it('keep the rest when only the page changes', () => {
    expect(changeFilters(all, { cursor: 'next', direction: 'after' })).toEqual({ ...all, cursor: 'next', direction: 'after' });
  });

  it('count without the tab, the order, the search and the page', () => {
    expect(activeFilterCount(all)).toBe(12);
    expect(activeFilterCount({ ...defaultFilters, status: 'done', search: 'x' })).toBe(0);
  });
});

describe('the query of the API', () => {
  const now = Date.parse('2026-01-08T00:00:00Z');

  it('pages backward with last', () => {
    expect(listQuery(all, now)).toMatchObject({ cursor: 'abc_-', last: 25, first: undefined });
  });

  it('asks for every status on the tab of all', () => {
    expect(listQuery({ ...all, status: 'all' }, now).status).toBeUndefined();
  });

  it('anchors a span of time at the given moment', () => {
    expect(listQuery(all, now).createdAfter).toBe('2026-01-01T00:00:00.000Z');
  });
});

describe('a row that changed under the list', () => {
  const mine = { status: 'in_progress', assignee: { id: 'me-id', name: 'Me' } } as const;
  const free = { status: 'new', assignee: null } as const;

  it.each([
    ['leaves the tab of new reports when taken', mine, { ...defaultFilters }, false],
    ['stays on the tab of all', mine, { ...defaultFilters, status: 'all' }, true],
    ['stays among mine', mine, { ...defaultFilters, status: 'all', assigned: 'me' }, true],
    ['leaves the unassigned', mine, { ...defaultFilters, status: 'all', assigned: 'none' }, false],
    ['leaves the assigned when released', free, { ...defaultFilters, assigned: 'any' }, false],
    ['leaves a colleague’s list', mine, { ...defaultFilters, status: 'all', assigned: 'other-id' }, false],
  ] as const)('%s', (_name, row, filters, expected) => {
    expect(stillFits(row, filters as BoardFilters, 'me-id')).toBe(expected);
  });
});
