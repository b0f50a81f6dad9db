import { core, get, post, withQuery } from './http';
import type { Page, Schemas } from './types';

/** A report as an auditor sees it. */
export type TransparencyReport = Schemas['TransparencyReport'];
/** A report as everybody reads it. */
export type PublishedReport = Schemas['PublishedTransparencyReport'];
export type PublishedCell = Schemas['PublishedTransparencyCell'];

const base = `${core}/admin/transparency`;

export const listReports = (query: { first: number; cursor?: string }, signal?: AbortSignal) => get<Page<TransparencyReport>>(withQuery(base, query), signal);
/** Both days are inclusive, YYYY-MM-DD in UTC. */
export const requestReport = (since: string, until: string) => post<TransparencyReport>(base, { since, until });
export const publishReport = (id: string) => post<TransparencyReport>(`${base}/${encodeURIComponent(id)}/publish`);

const publicAt = (id: string) => `${core}/transparency/${encodeURIComponent(id)}`;

export const readPublished = (id: string, signal?: AbortSignal) => get<PublishedReport>(publicAt(id), signal);
export const csvOf = (id: string) => `${publicAt(id)}?format=csv`;
export const jsonOf = publicAt;
