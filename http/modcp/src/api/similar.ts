import { core, get, post, withQuery } from './http';
import { resolveBody, type Decision, type Query } from './reports';
import type { Page, Report, ReportItem, Resolution } from './types';

const one = (id: string) => `${core}/moderation/reports/${encodeURIComponent(id)}`;

/** An open report whose content is like that of another, from 0 to 1. */
export interface Similar {
  report: ReportItem;
  similarity: number;
}

/** The open reports with nearly the same text or one of the same links, the most alike first. */
export const similarReports = (id: string, query: Query, signal?: AbortSignal) => get<Page<Similar>>(withQuery(`${one(id)}/similar`, { link: 'any', ...query }), signal);

export interface SimilarOutcome {
  done: string[];
  /** `current` is null for those that may no longer be seen or decided. */
  conflicts: { id: string; current: Report | null }[];
}

/** How many reports one request may decide. */
export const maxSimilar = 200;

/** Decides reports one by one; each that is not decided is a conflict of its own. */
export const decideSimilar = (reports: readonly Pick<ReportItem, 'id' | 'version'>[], decision: Decision, action: string | null) =>
  post<SimilarOutcome>(`${core}/moderation/similar/decide`, {
    reports: reports.map(({ id, version }) => ({ id, expectedVersion: version })),
    resolve: resolveBody(decision),
    ...(action === null ? {} : { action }),
  });

/** How content like that of a report was decided in the last year. */
export interface Precedents {
  similar: number;
  byResolution: Partial<Record<Resolution, number>>;
  overturned: number;
  /** Reports, the most alike first. */
  examples: string[];
}

export const readPrecedents = (id: string, policy: string, signal?: AbortSignal) => get<Precedents>(withQuery(`${one(id)}/precedents`, { policy }), signal);
