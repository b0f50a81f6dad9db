import { describe, expect, it } from 'vitest';
import { lastDays } from './figures';
import { fromStats } from './useFigures';

const noon = Date.parse('2026-03-02T12:00:00Z');

const none = { opened: 0, reopened: 0, actions: 0, firstActions: 0, meanSecondsToFirstAction: null, decided: 0, upheld: 0, notUpheld: 0, duplicate: 0, meanSecondsToDecision: null, appealsOpened: 0, appealsUpheld: 0, appealsOverturned: 0, meanSecondsToAppealDecision: null, deadlinesKept: 0, deadlinesMissed: 0 };

describe('the server’s own figures', () => {
  it('fill the days on which nothing happened', () => {
    const figures = { ...none, opened: 3, firstActions: 2, meanSecondsToFirstAction: 60, decided: 2, upheld: 1, notUpheld: 1 };
    const history = fromStats({ days: [{ day: '2026-03-02', ...figures }], total: figures, policies: [] }, lastDays(2, noon));
    expect(history.byDay.map((day) => [day.opened, day.decided])).toEqual([[0, 0], [3, 2]]);
    expect(history).toMatchObject({ firstActionSeconds: 60, firstActions: 2, decisionSeconds: null, decisions: 2 });
    expect(history.outcomes.map((entry) => entry.count)).toEqual([1, 1, 0]);
    expect(history).toMatchObject({ deadlines: null, policies: [] });
  });

  it('tell of deadlines by day and in all', () => {
    const history = fromStats({ days: [{ day: '2026-03-02', ...none, deadlinesKept: 3, deadlinesMissed: 1 }], total: { ...none, deadlinesKept: 5, deadlinesMissed: 2 }, policies: [] }, lastDays(2, noon));
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
});
