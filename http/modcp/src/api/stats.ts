import { core, get, isMissingRoute } from './http';

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
