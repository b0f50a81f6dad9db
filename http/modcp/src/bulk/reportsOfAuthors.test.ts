import { expect, test } from 'vitest';
import type { Report } from '../api/types';
import { reportsOfAuthors } from './reportsOfAuthors';

const report = (id: number, authors: string[], more: Partial<Report> = {}): Report =>
  ({ id: String(id), status: 'new', target: { pluginId: 'forum' }, snapshot: { authors: authors.map((author) => ({ id: author })) }, ...more }) as Report;
const chosen = (reports: Report[]) => reportsOfAuthors(reports).map(({ id, decisions }) => [id, decisions]);

test.each<[string, Report[], (string | number)[][]]>([
  ['each author once, with the last report', [report(1, ['ada']), report(2, ['bob']), report(3, ['ada'])], [['3', 2], ['2', 1]]],
  ['the last that is open', [report(1, ['ada']), report(2, ['ada'], { status: 'done' })], [['1', 1]]],
  ['nobody where content is of several', [report(1, ['ada']), report(2, ['ada', 'bob'])], []],
  ['nobody where content is of nobody known', [report(1, ['ada']), report(2, [])], []],
  ['nobody where they are of several platforms', [report(1, ['ada']), report(2, ['ada'], { target: { pluginId: 'shop' } as Report['target'] })], []],
])('measures are offered for %s', (_, reports, want) => {
  expect(chosen(reports)).toEqual(want);
});

test('measures are offered for at most 20 authors', () => {
  const many = Array.from({ length: 21 }, (_, id) => report(id, [String(id)]));
  expect(chosen(many.slice(1))).toHaveLength(20);
  expect(chosen(many)).toEqual([]);
});
