import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../api/http';
import { DecisionHold, type DecisionOrder, type HeldDecision } from './decisionHold';

const held = (reportId: string): DecisionOrder => ({
  report: { id: reportId, version: 2, status: 'new', target: { pluginId: 'forum', type: 'forum.post', id: '1', label: '', permissionModule: '', scope: null, current: null } },
  together: [],
  draft: '',
  title: null,
  decision: { resolution: 'duplicate', explanation: '', share: false },
  action: null,
  by: null,
});

describe('decisions that can be taken back', () => {
  let sent: string[];
  let answer: (error: ApiError | null) => void;
  let hold: DecisionHold;

  beforeEach(() => {
    vi.useFakeTimers();
    sent = [];
    hold = new DecisionHold({
      wait: 7_000,
      send: ({ report }) => {
        sent.push(report.id);
        return new Promise((resolve) => (answer = resolve));
      },
    });
  });
  afterEach(() => vi.useRealTimers());

  it('are sent when their time is up, and not before', () => {
    hold.hold(held('a'));
    vi.advanceTimersByTime(6_999);
    expect(sent).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(sent).toEqual(['a']);
  });

  it('are not sent once taken back', () => {
    hold.hold(held('a'));
    expect(hold.takeBack('a')).toBe(true);
    vi.runAllTimers();
    expect(sent).toEqual([]);
    expect(hold.all().size).toBe(0);
  });

  it('cannot be taken back while they are being sent, and are gone after it', async () => {
    hold.hold(held('a'));
    hold.sendNow('a');
    expect(hold.takeBack('a')).toBe(false);
    expect(hold.all().has('a')).toBe(true);
    answer(null);
    await vi.runAllTimersAsync();
    expect(hold.all().size).toBe(0);
    expect(sent).toEqual(['a']);
  });

  it('say until when they can be taken back', () => {
    const start = Date.now();
    hold.hold(held('a'));
    vi.advanceTimersByTime(1_000);
    expect(hold.all().get('a')?.until).toBe(start + 7_000);
    hold.sendNow('a');
    expect(hold.all().get('a')?.until).toBe(0);
  });

  it('are one a report', () => {
    expect(hold.hold(held('a'))).toBe(true);
    expect(hold.hold(held('a'))).toBe(false);
    expect(hold.hold(held('b'))).toBe(true);
    vi.runAllTimers();
    expect(sent).toEqual(['a', 'b']);
  });

  it('are all sent when the panel is left', () => {
    hold.hold(held('a'));
    hold.hold(held('b'));
    void hold.sendAll();
    vi.runAllTimers();
    expect(sent).toEqual(['a', 'b']);
  });

  it.each([true, false])('tell whether they were accepted: %s', async (accepted) => {
    hold.hold(held('a'));
    hold.sendNow('a'); // and is on its way when all are to be sent
    const all = hold.sendAll();
    answer(accepted ? null : new ApiError(503, 'unavailable', ''));
    expect(await all).toBe(accepted);
  });

  it('that failed stay, are sent again, replaced or given up', async () => {
    const failure = new ApiError(0, 'network', '');
    for (const id of ['a', 'b', 'c']) {
      hold.hold(held(id));
      hold.sendNow(id);
      answer(failure);
      await vi.runAllTimersAsync();
    }
    expect([...hold.all().values()].map(({ error }) => error)).toEqual([failure, failure, failure]);
    expect(hold.takeBack('a')).toBe(true);
    expect(hold.hold(held('b'))).toBe(true);
    hold.sendNow('c');
    answer(null);
    await vi.advanceTimersByTimeAsync(0);
    expect([...hold.all().keys()]).toEqual(['b']);
  });

  it('tell of every change, with a map of its own', () => {
    const seen: ReadonlyMap<string, HeldDecision>[] = [];
    const leave = hold.subscribe(() => seen.push(hold.all()));
    hold.hold(held('a'));
    hold.takeBack('a');
    leave();
    hold.hold(held('b'));
    expect(seen.map((all) => [...all.keys()])).toEqual([['a'], []]);
  });
});
