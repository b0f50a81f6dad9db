import { expect, test } from 'vitest';
import type { Report } from '../api/types';
import { batches, type BulkOrder, type JobItem } from './job';

const item = (id: number, hides: boolean): JobItem => ({
  id: String(id),
  title: null,
  version: 1,
  report: { id: String(id), actions: [{ name: 'hide', available: hides, permitted: true }] } as Report,
});
const order = (kind: BulkOrder['kind'], items: JobItem[], action: string | null = null): BulkOrder => ({ kind, items, action });
const ids = (steps: JobItem[][]) => steps.map((step) => step.map(({ id }) => id));

test('claims are sent one by one', () => {
  expect(ids(batches(order('claim', [item(1, true), item(2, true)])))).toEqual([['1'], ['2']]);
});

test('decisions are sent together, those whose content the action does not fit without it', () => {
  const all = [item(1, true), item(2, false), item(3, true)];
  expect(ids(batches(order('resolve', all, 'hide')))).toEqual([['1', '3'], ['2']]);
  expect(ids(batches(order('resolve', all)))).toEqual([['1', '2', '3']]);
});

test('no request decides more than the API takes', () => {
  const many = Array.from({ length: 401 }, (_, id) => item(id, false));
  expect(batches(order('resolve', many)).map((step) => step.length)).toEqual([200, 200, 1]);
});

test('the decision that imposes measures is left for the end', () => {
  const all = [item(1, true), item(2, false), item(3, true)];
  const measured = (id: string) => ({ id, measures: [{ authorId: `author of ${id}`, kind: 'warn' as const, until: null }] });
  expect(ids(batches({ ...order('resolve', all, 'hide'), measured: [measured('3')] }))).toEqual([['1'], ['2']]);
  expect(ids(batches({ ...order('resolve', all, 'hide'), measured: [measured('3'), measured('2')] }))).toEqual([['1']]);
  expect(ids(batches({ ...order('resolve', all, 'hide'), measured: [] }))).toEqual([['1', '3'], ['2']]);
});
