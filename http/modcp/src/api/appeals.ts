import { core, get, post, withQuery } from './http';
import type { Answer, Page, Schemas } from './types';

export type AppealStatus = Schemas['AppealStatus'];
export type AppealItem = Answer<'listAppeals'>['edges'][number];
export type Appeal = Answer<'getAppeal'>;

/** Reports whether the appeal is somebody's own, or of their own decision: somebody else decides it. */
export const isOwn = (appeal: AppealItem | Appeal, user: string | undefined) => user !== undefined && (appeal.report.resolver?.id === user || ('ownDecision' in appeal.report && appeal.report.ownDecision) || appeal.appellant?.id === user);

export interface AppealQuery {
  status?: string;
  /** Leaves out appeals of one's own decisions. */
  mine?: true;
  first: number;
  cursor?: string;
  order?: 'asc' | 'desc';
}

const base = `${core}/moderation/appeals`;
const one = (id: string) => `${base}/${encodeURIComponent(id)}`;

export const listAppeals = (query: AppealQuery, signal?: AbortSignal) => get<Page<AppealItem>>(withQuery(base, { ...query }), signal);

export const readAppeal = (id: string, signal?: AbortSignal) => get<Appeal>(one(id), signal);

export const decideAppeal = (id: string, outcome: 'uphold' | 'overturn', expectedVersion: number, reply: string) =>
  post<Appeal>(`${one(id)}/${outcome}`, { expectedVersion, reply });
