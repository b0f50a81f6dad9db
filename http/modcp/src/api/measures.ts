import { core, get, post, put, withQuery } from './http';
import type { Answer, Page, Schemas } from './types';

/** What the ladder proposes for an author if the report were decided now by a rule, and the kinds that the user may impose. */
export type Proposal = Answer<'proposeMeasures'>['items'][number];
/** A measure with its author and the decision that imposed it. */
export type Measure = Schemas['Measure'];
export type Standing = Answer<'getMyStanding'>;
/** A measure as the member sees it on whom it was imposed. */
export type OwnMeasure = Standing['measures'][number];
/** The ladder proposes this for an author with so many strikes. */
export type LadderStep = Required<Schemas['Ladder']['steps'][number]>;

export interface MeasureQuery {
  status: 'standing' | 'ended';
  kind?: string;
  orderBy: 'until' | 'imposedAt';
  order: 'asc' | 'desc';
  first: number;
  cursor?: string;
}

const base = `${core}/moderation/measures`;

export const listMeasures = (query: MeasureQuery, signal?: AbortSignal) => get<Page<Measure>>(withQuery(base, { ...query }), signal);

export const endMeasure = (id: string, reason: string, expectedVersion: number) => post<Measure>(`${base}/${encodeURIComponent(id)}/end`, { reason, expectedVersion });

/** `decisions` on content of the author are made alike, this one among them. */
export const proposeMeasures = (reportId: string, policy: string, decisions: number, signal?: AbortSignal) =>
  get<Answer<'proposeMeasures'>>(withQuery(`${core}/moderation/reports/${encodeURIComponent(reportId)}/proposal`, { policy, decisions: decisions === 1 ? undefined : decisions }), signal);

export const readStanding = (query: { first: number; cursor?: string }, signal?: AbortSignal) => get<Standing>(withQuery(`${core}/users/standing`, query), signal);

export const readLadder = (signal?: AbortSignal) => get<{ steps: LadderStep[] }>(`${core}/admin/ladder`, signal);

export const setLadder = (steps: LadderStep[]) => put<{ steps: LadderStep[] }>(`${core}/admin/ladder`, { steps });
