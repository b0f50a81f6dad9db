import { core, get, post, withQuery } from './http';
import { resolveBody, type Decision, type Query } from './reports';
import type { Answer, ReportItem } from './types';

const one = (id: string) => `${core}/moderation/reports/${encodeURIComponent(id)}`;

/** The open reports with nearly the same text or one of the same links, the most alike first. */
export const similarReports = (id: string, query: Query, signal?: AbortSignal) => get<Answer<'listSimilarReports'>>(withQuery(`${one(id)}/similar`, { link: 'any', ...query }), signal);

/** How many reports one request may decide. */
export const maxSimilar = 200;

/** Decides reports one by one; each that is not decided is a conflict of its own. */
export const decideSimilar = (reports: readonly Pick<ReportItem, 'id' | 'version'>[], decision: Decision, action: string | null) =>
  post<Answer<'decideSimilar'>>(`${core}/moderation/similar/decide`, {
    reports: reports.map(({ id, version }) => ({ id, expectedVersion: version })),
    resolve: resolveBody(decision),
    ...(action === null ? {} : { action }),
  });

/** How content like that of a report was decided in the last year. */
export type Precedents = Answer<'countPrecedents'>;

export const readPrecedents = (id: string, policy: string, signal?: AbortSignal) => get<Precedents>(withQuery(`${one(id)}/precedents`, { policy }), signal);
