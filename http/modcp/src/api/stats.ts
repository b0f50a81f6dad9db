import { core, get, isMissingRoute, withQuery } from './http';
import type { Measure } from './measures';
import type { Person, Resolution } from './types';

/** Figures of a span of time; means are in seconds from filing, null when there is nothing to measure. */
export interface StatFigures {
  opened: number;
  firstActions: number;
  meanSecondsToFirstAction: number | null;
  decided: number;
  upheld: number;
  notUpheld: number;
  duplicate: number;
  meanSecondsToDecision: number | null;
  appealsOpened?: number;
  appealsUpheld?: number;
  appealsOverturned?: number;
  /** From the appeal. */
  meanSecondsToAppealDecision?: number | null;
  deadlinesKept?: number;
  deadlinesMissed?: number;
}

/** What a policy led to, in whichever version it was cited; means are in seconds. */
export interface PolicyFigures {
  /** Its key. */
  policy: string;
  decided: number;
  meanSecondsToDecision: number | null;
  appealsOpened: number;
  appealsUpheld: number;
  appealsOverturned: number;
  meanSecondsToAppealDecision: number | null;
  /** Overturned of the decided appeals, 0 to 1. */
  reversalRate: number | null;
}

/** One UTC day, as `2026-01-31`; days without events are left out. */
export interface StatDay extends StatFigures {
  day: string;
}

export interface Stats {
  days: StatDay[];
  total: StatFigures;
  /** The most cited first. */
  policies?: PolicyFigures[];
}

/** The server's figures, or null where it has none. */
export async function readStats(signal?: AbortSignal): Promise<Stats | null> {
  try {
    const answer = await get<Partial<Stats>>(`${core}/moderation/stats`, signal);
    return Array.isArray(answer.days) && typeof answer.total === 'object' ? (answer as Stats) : null;
  } catch (error) {
    if (isMissingRoute(error)) return null;
    throw error;
  }
}

/** Outcomes of a set of reports, within the caller's grants. */
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

/** The decisions that stand on an author's content. */
export interface AuthorRecord {
  /** Null where there is none. */
  account: Person | null;
  /** The sum over all decisions that stand, also where the user may not view them. */
  strikes: number;
  /** Those that stand, the latest first. */
  measures: Measure[];
  decided: number;
  /** There are more, which are not counted. */
  capped?: boolean;
  outcomes: Record<Resolution, number>;
  /** The most cited first. */
  policies: { key: string; version: number; decisions: number }[];
  /** Null where there is no account, or only its first sight is known. */
  memberSince: string | null;
  /** The last five things of theirs that were reported; without a resolution while one is open. */
  recent: { id: string; title: string; resolution: Resolution | null; reportedAt: string }[];
  /** The last ten. */
  latest: { id: string; title: string; resolution: Resolution; policy: { key: string; version: number } | null; decidedAt: string }[];
}

/** Strikes and measures are as they stood `at` a time; now without one. */
export const authorRecord = (author: string, pluginId: string, signal?: AbortSignal, at?: string) =>
  get<AuthorRecord>(withQuery(`${core}/moderation/authors/${encodeURIComponent(author)}`, { pluginId, at }), signal);

export const reporterRecord = (id: string, signal?: AbortSignal) =>
  get<ReportRecord>(`${core}/moderation/stats/reporters/${encodeURIComponent(id)}`, signal);

export const targetRecord = (target: { pluginId: string; type: string; id: string }, signal?: AbortSignal) =>
  get<TargetRecord>(withQuery(`${core}/moderation/stats/target`, { pluginId: target.pluginId, targetType: target.type, targetId: target.id }), signal);
