import { core, get, isMissingRoute, withQuery } from './http';

/** What happened in a span of time; means are in seconds from filing, null when there was nothing to measure. */
export interface StatFigures {
  opened: number;
  firstActions: number;
  meanSecondsToFirstAction: number | null;
  decided: number;
  upheld: number;
  notUpheld: number;
  duplicate: number;
  meanSecondsToDecision: number | null;
}

/** One day of UTC, as `2026-01-31`; days on which nothing happened are left out. */
export interface StatDay extends StatFigures {
  day: string;
}

export interface Stats {
  days: StatDay[];
  total: StatFigures;
}

/** The server's own figures, or null where it keeps none. */
export async function readStats(signal?: AbortSignal): Promise<Stats | null> {
  try {
    const answer = await get<Partial<Stats>>(`${core}/moderation/stats`, signal);
    return Array.isArray(answer.days) && typeof answer.total === 'object' ? (answer as Stats) : null;
  } catch (error) {
    if (isMissingRoute(error)) return null;
    throw error;
  }
}

/** What became of a set of reports, within the caller's grants. */
export interface ReportRecord {
  filed: number;
  /** Not done. */
  open: number;
  upheld: number;
  notUpheld: number;
  duplicate: number;
}

export interface TargetRecord extends ReportRecord {
  /** Content actions, such as hide. */
  actions: number;
}

export const reporterRecord = (id: string, signal?: AbortSignal) =>
  get<ReportRecord>(`${core}/moderation/stats/reporters/${encodeURIComponent(id)}`, signal);

export const targetRecord = (target: { pluginId: string; type: string; id: string }, signal?: AbortSignal) =>
  get<TargetRecord>(withQuery(`${core}/moderation/stats/target`, { pluginId: target.pluginId, targetType: target.type, targetId: target.id }), signal);
