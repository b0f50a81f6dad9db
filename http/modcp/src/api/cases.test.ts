import { afterEach, describe, expect, it, vi } from 'vitest';
import { sendDecision } from './cases';
import type { Report } from './types';

afterEach(() => vi.unstubAllGlobals());

/** Answers each request with the next status and body, and returns the paths that were asked. */
function answers(...all: [status: number, body: unknown][]) {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path);
    const [status, body] = all.shift()!;
    return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
  });
  return asked;
}

const target = { pluginId: 'forum', type: 'forum.post', id: '1' } as Report['target'];
const order = { report: { id: 'a', version: 1, status: 'new' as const, target }, decision: { resolution: 'no_violation' as const, explanation: '', share: false }, action: null, by: 'me' };
const inCase = { ...order, together: [{ id: 'a', version: 1 }, { id: 'b', version: 1 }] };
const done = (id: string, resolver = 'me', resolution = 'no_violation') => ({ id, status: 'done', resolution, resolver: { id: resolver } });
const conflicts = (...reports: { id: string }[]) => ({ error: 'conflict', conflicts: reports.map((current) => ({ id: current.id, current })) });

describe('a decision that was accepted', () => {
  it('is accepted also where the report cannot be read after it', async () => {
    answers([200, { reports: [{ id: 'a' }, { id: 'b' }], remaining: 0 }], [503, {}]);
    expect(await sendDecision(inCase)).toMatchObject({ report: undefined, outcome: { remaining: 0 } });
  });

  it('and is sent again is not refused', async () => {
    answers([409, { error: 'conflict', current: done('a') }], [409, conflicts(done('a'), done('b'))]);
    expect(await sendDecision(order)).toMatchObject({ report: { id: 'a' }, outcome: null });
    expect(await sendDecision(inCase)).toMatchObject({ report: { id: 'a' }, outcome: { reports: [{ id: 'a' }, { id: 'b' }] } });
  });
});

it('a report that is done is decided again, with its action, by one request', async () => {
  const asked = answers([202, { id: 'a', held: { id: 'h' } }]);
  expect(await sendDecision({ ...order, report: { ...order.report, status: 'done' }, action: 'hide' })).toMatchObject({ report: { held: { id: 'h' } } });
  expect(asked).toEqual([expect.stringMatching('/moderation/reports/a/resolve$')]);
});

it.each<[string, Parameters<typeof sendDecision>[0], unknown]>([
  ['a colleague’s', order, { error: 'conflict', current: done('a', 'her') }],
  ['one’s own with another outcome', order, { error: 'conflict', current: done('a', 'me', 'duplicate') }],
  ['one’s own on a part of the case', inCase, conflicts(done('a'))],
  ['one’s own that it changes', { ...order, report: { ...order.report, status: 'done' } }, { error: 'conflict', current: done('a') }],
])('a decision is refused after another: %s', async (_name, sent, body) => {
  answers([409, body]);
  await expect(sendDecision(sent)).rejects.toMatchObject({ status: 409 });
});
