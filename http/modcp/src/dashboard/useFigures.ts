import { useQuery } from '@tanstack/react-query';
import { keys } from '../api/keys';
import { countReports, listReports } from '../api/reports';
import { reasons } from '../api/types';
import { pool } from '../bulk/pool';
import { decidedOn, decisionTimes, lastDays, median, outcomes } from './figures';

const days = 14;
/** Decisions that times and outcomes are worked out from: the latest page the API gives. */
const sample = 100;
const width = 3;

async function readFigures(signal: AbortSignal) {
  const now = Date.now();
  const [counts, oldest, done] = await Promise.all([
    countReports({}, signal),
    listReports({ status: 'new,in_progress', order: 'asc', first: 1 }, signal),
    listReports({ status: 'done', orderBy: 'updatedAt', first: sample }, signal),
  ]);
  const byReason = await pool(reasons, width, async (reason) => {
    const of = await countReports({ reason }, signal);
    return { reason, count: of.new + of.inProgress };
  });
  const byDay = await pool(lastDays(days, now), width, async (day) => {
    const of = await countReports({ createdAfter: new Date(day.start).toISOString(), createdBefore: new Date(day.end).toISOString() }, signal);
    return { start: day.start, opened: of.new + of.inProgress + of.done, decided: decidedOn(done.edges, day) };
  });
  return {
    counts,
    oldestAt: oldest.edges[0]?.createdAt ?? null,
    decisionSeconds: median(decisionTimes(done.edges)),
    decisions: done.edges.length,
    outcomes: outcomes(done.edges),
    byReason,
    byDay,
  };
}

export function useFigures() {
  return useQuery({ queryKey: keys.stats('figures'), queryFn: ({ signal }) => readFigures(signal), staleTime: 60_000, refetchOnWindowFocus: false });
}
