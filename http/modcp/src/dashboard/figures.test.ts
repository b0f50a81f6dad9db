import { describe, expect, it } from 'vitest';
import { decidedOn, decisionTimes, lastDays, median, outcomes } from './figures';
import { fromStats } from './useFigures';

const noon = Date.parse('2026-03-02T12:00:00Z');

describe('the server’s own figures', () => {
  it('fill the days on which nothing happened', () => {
    const figures = { opened: 3, firstActions: 2, meanSecondsToFirstAction: 60, decided: 2, upheld: 1, notUpheld: 1, duplicate: 0, meanSecondsToDecision: null };
    const history = fromStats({ days: [{ day: '2026-03-02', ...figures }], total: figures }, lastDays(2, noon));
    expect(history.byDay.map((day) => [day.opened, day.decided])).toEqual([[0, 0], [3, 2]]);
    expect(history).toMatchObject({ measure: 'mean', firstActionSeconds: 60, firstActions: 2, decisionSeconds: null, decisions: 2 });
    expect(history.outcomes.map((entry) => entry.count)).toEqual([1, 1, 0]);
    expect(history).toMatchObject({ deadlines: null, appeals: null, policies: [] });
  });

  it('tell of deadlines by day and in all', () => {
    const figures = { opened: 0, firstActions: 0, meanSecondsToFirstAction: null, decided: 0, upheld: 0, notUpheld: 0, duplicate: 0, meanSecondsToDecision: null };
    const history = fromStats({ days: [{ day: '2026-03-02', ...figures, deadlinesKept: 3, deadlinesMissed: 1 }], total: { ...figures, deadlinesKept: 5, deadlinesMissed: 2 } }, lastDays(2, noon));
    expect(history.byDay.map((day) => [day.kept, day.missed])).toEqual([[0, 0], [3, 1]]);
    expect(history.deadlines).toEqual({ kept: 5, missed: 2 });
  });
});

describe('figures', () => {
  it('cut days at midnight UTC, today last', () => {
    const days = lastDays(2, noon);
    expect(days.map((day) => new Date(day.start).toISOString())).toEqual(['2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z']);
    expect(days[0]!.end).toBe(days[1]!.start);
  });

  it.each([
    [[], null],
    [[5], 5],
    [[9, 1, 5], 5],
    [[4, 1, 3, 2], 2.5],
  ])('take the middle of %j', (values, expected) => {
    expect(median(values)).toBe(expected);
  });

  it('leave out what is undecided or makes no sense', () => {
    const createdAt = '2026-03-02T00:00:00Z';
    expect(
      decisionTimes([
        { createdAt, resolvedAt: '2026-03-02T00:01:00Z' },
        { createdAt, resolvedAt: null },
        { createdAt, resolvedAt: '2026-03-01T00:00:00Z' },
        { createdAt, resolvedAt: 'never' },
      ]),
    ).toEqual([60]);
  });

  it('count outcomes and days', () => {
    const done = [
      { resolution: 'duplicate' as const, resolvedAt: '2026-03-02T00:00:00Z' },
      { resolution: 'duplicate' as const, resolvedAt: '2026-03-01T23:59:59Z' },
      { resolution: null, resolvedAt: null },
    ];
    expect(outcomes(done).find((entry) => entry.resolution === 'duplicate')?.count).toBe(2);
    expect(lastDays(2, noon).map((day) => decidedOn(done, day))).toEqual([1, 1]);
  });
});
