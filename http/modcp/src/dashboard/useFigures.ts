import { useQuery } from '@tanstack/react-query';
import { keys } from '../api/queryKeys';
import { countReports, listReports } from '../api/reports';
import { readStats, type PolicyFigures, type Stats } from '../api/stats';
import { reasons, type Resolution } from '../api/types';
import { pool } from '../bulk/pool';
import { lastDays, type Day } from './figures';

const days = 14;
const width = 3;

export interface DayFigures {
  /** Midnight UTC in milliseconds. */
  start: number;
  opened: number;
  decided: number;
  kept: number;
  missed: number;
  appealsOpened: number;
  appealsUpheld: number;
  appealsOverturned: number;
}

export interface History {
  firstActionSeconds: number | null;
  /** Reports that somebody has acted on. */
  firstActions: number;
  decisionSeconds: number | null;
  decisions: number;
  outcomes: { resolution: Resolution; count: number }[];
  byDay: DayFigures[];
  /** Null where no report had a deadline. */
  deadlines: { kept: number; missed: number } | null;
  policies: PolicyFigures[];
  appeals: { opened: number; upheld: number; overturned: number; decisionSeconds: number | null };
}

export function fromStats(stats: Pick<Stats, 'days' | 'total' | 'policies'>, wanted: readonly Day[]): History {
  const { total } = stats;
  const byName = new Map(stats.days.map((day) => [day.day.slice(0, 10), day]));
  return {
    firstActionSeconds: total.meanSecondsToFirstAction,
    firstActions: total.firstActions,
    decisionSeconds: total.meanSecondsToDecision,
    decisions: total.decided,
    outcomes: [
      { resolution: 'no_violation', count: total.notUpheld },
      { resolution: 'action_taken', count: total.upheld },
      { resolution: 'duplicate', count: total.duplicate },
    ],
    appeals: { opened: total.appealsOpened, upheld: total.appealsUpheld, overturned: total.appealsOverturned, decisionSeconds: total.meanSecondsToAppealDecision },
    byDay: wanted.map(({ start }) => {
      const day = byName.get(new Date(start).toISOString().slice(0, 10));
      return {
        start,
        opened: day?.opened ?? 0,
        decided: day?.decided ?? 0,
        kept: day?.deadlinesKept ?? 0,
        missed: day?.deadlinesMissed ?? 0,
        appealsOpened: day?.appealsOpened ?? 0,
        appealsUpheld: day?.appealsUpheld ?? 0,
        appealsOverturned: day?.appealsOverturned ?? 0,
      };
    }),
    deadlines: total.deadlinesKept + total.deadlinesMissed === 0 ? null : { kept: total.deadlinesKept, missed: total.deadlinesMissed },
    policies: stats.policies,
  };
}

async function readFigures(signal: AbortSignal) {
  const [counts, oldest, stats, byReason] = await Promise.all([
    countReports({}, signal),
    listReports({ status: 'new,in_progress', order: 'asc', first: 1 }, signal),
    readStats(signal),
    pool(reasons, width, async (reason) => {
      const of = await countReports({ reason }, signal);
      return { reason, count: of.new + of.inProgress };
    }),
  ]);
  return { counts, oldestAt: oldest.edges[0]?.createdAt ?? null, byReason, history: fromStats(stats, lastDays(days, Date.now())) };
}

export function useFigures() {
  return useQuery({ queryKey: keys.stats('figures'), queryFn: ({ signal }) => readFigures(signal), staleTime: 60_000, refetchOnWindowFocus: false });
}
