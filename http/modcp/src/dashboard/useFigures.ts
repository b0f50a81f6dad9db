import { useQuery } from '@tanstack/react-query';
import { keys } from '../api/queryKeys';
import { countReports, listReports } from '../api/reports';
import { readStats, type PolicyFigures, type Stats } from '../api/stats';
import { reasons, type ReportItem, type Resolution } from '../api/types';
import { pool } from '../bulk/pool';
import { decidedOn, decisionTimes, lastDays, median, outcomes, type Day } from './figures';

const days = 14;
/** Decisions that times and outcomes are worked out from where the server keeps no figures. */
const sample = 100;
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
  /** `mean` of the server's figures, or `median` of the latest decisions. */
  measure: 'mean' | 'median';
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
  /** Null where the server keeps no figures of appeals. */
  appeals: { opened: number; upheld: number; overturned: number; decisionSeconds: number | null } | null;
}

/** The figures of the server's own projection. */
export function fromStats(stats: Stats, wanted: readonly Day[]): History {
  const { total } = stats;
  const byName = new Map(stats.days.map((day) => [day.day.slice(0, 10), day]));
  return {
    measure: 'mean',
    firstActionSeconds: total.meanSecondsToFirstAction,
    firstActions: total.firstActions,
    decisionSeconds: total.meanSecondsToDecision,
    decisions: total.decided,
    outcomes: [
      { resolution: 'no_violation', count: total.notUpheld },
      { resolution: 'action_taken', count: total.upheld },
      { resolution: 'duplicate', count: total.duplicate },
    ],
    appeals:
      total.appealsOpened === undefined
        ? null
        : { opened: total.appealsOpened, upheld: total.appealsUpheld ?? 0, overturned: total.appealsOverturned ?? 0, decisionSeconds: total.meanSecondsToAppealDecision ?? null },
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
    deadlines: (total.deadlinesKept ?? 0) + (total.deadlinesMissed ?? 0) === 0 ? null : { kept: total.deadlinesKept ?? 0, missed: total.deadlinesMissed ?? 0 },
    policies: stats.policies ?? [],
  };
}

async function fromReports(wanted: readonly Day[], signal: AbortSignal): Promise<History> {
  const done: ReportItem[] = (await listReports({ status: 'done', orderBy: 'updatedAt', first: sample }, signal)).edges;
  const byDay = await pool(wanted, width, async (day) => {
    const of = await countReports({ createdAfter: new Date(day.start).toISOString(), createdBefore: new Date(day.end).toISOString() }, signal);
    return { ...noDay, start: day.start, opened: of.new + of.inProgress + of.done, decided: decidedOn(done, day) };
  });
  return {
    measure: 'median',
    firstActionSeconds: null,
    firstActions: 0,
    decisionSeconds: median(decisionTimes(done)),
    decisions: done.length,
    outcomes: outcomes(done),
    byDay,
    appeals: null,
    deadlines: null,
    policies: [],
  };
}

const noDay: DayFigures = { start: 0, opened: 0, decided: 0, kept: 0, missed: 0, appealsOpened: 0, appealsUpheld: 0, appealsOverturned: 0 };

async function readFigures(signal: AbortSignal) {
  const wanted = lastDays(days, Date.now());
  const [counts, oldest, stats, byReason] = await Promise.all([
    countReports({}, signal),
    listReports({ status: 'new,in_progress', order: 'asc', first: 1 }, signal),
    readStats(signal),
    pool(reasons, width, async (reason) => {
      const of = await countReports({ reason }, signal);
      return { reason, count: of.new + of.inProgress };
    }),
  ]);
  const history = stats === null ? await fromReports(wanted, signal) : fromStats(stats, wanted);
  return { counts, oldestAt: oldest.edges[0]?.createdAt ?? null, byReason, history };
}

export function useFigures() {
  return useQuery({ queryKey: keys.stats('figures'), queryFn: ({ signal }) => readFigures(signal), staleTime: 60_000, refetchOnWindowFocus: false });
}
