import { core, get, post, put, withQuery } from './http';
import type { MemberDecision } from './memberDecisions';
import type { PolicyRef } from './policies';
import type { AuthorRef, MeasureEnd, MeasureKind, Page, Person } from './types';

/** What the ladder proposes for an author if the report were decided now by a rule. */
export interface Proposal {
  author: AuthorRef & { name: string | null };
  strikes: number;
  /** With the decision. */
  after: number;
  measure: { kind: MeasureKind; until: string | null } | null;
  /** What the user may impose on the author with a decision on the report, the mildest first. */
  kinds?: MeasureKind[];
}

/** A measure with its author and the decision that imposed it. */
export interface Measure {
  id: string;
  reportId: string;
  /** The report's, which an ending names. */
  version: number;
  author: AuthorRef & { name: string | null; account: Person | null };
  kind: MeasureKind;
  until: string | null;
  policy: PolicyRef | null;
  because: 'moderator' | 'ladder';
  /** The strikes for which the ladder proposed it. */
  threshold: number | null;
  imposedAt: string;
  imposedBy: Person | null;
  /** Null while it stands. */
  endedAt: string | null;
  endedBy: MeasureEnd | null;
  /** The platform has yet to carry out the measure or its end, or has refused to. */
  pending?: boolean;
  failed?: boolean;
}

/** A measure as the member sees it on whom it was imposed. */
export interface OwnMeasure {
  id: string;
  reportId: string;
  kind: MeasureKind;
  until: string | null;
  policy: PolicyRef | null;
  imposedAt: string;
}

export interface Standing {
  strikes: number;
  measures: OwnMeasure[];
  decisions: Page<MemberDecision>;
}

/** The ladder proposes this for an author with so many strikes. */
export interface LadderStep {
  strikes: number;
  kind: MeasureKind;
  /** Null without an end. */
  days: number | null;
}

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

export const proposeMeasures = (reportId: string, policy: string, signal?: AbortSignal) =>
  get<{ items: Proposal[] }>(withQuery(`${core}/moderation/reports/${encodeURIComponent(reportId)}/proposal`, { policy }), signal);

export const readStanding = (query: { first: number; cursor?: string }, signal?: AbortSignal) => get<Standing>(withQuery(`${core}/users/standing`, query), signal);

export const readLadder = (signal?: AbortSignal) => get<{ steps: LadderStep[] }>(`${core}/admin/ladder`, signal);

export const setLadder = (steps: LadderStep[]) => put<{ steps: LadderStep[] }>(`${core}/admin/ladder`, { steps });
