import { core, get, post, withQuery } from './http';
import type { AppealSide, Page, Person, Report } from './types';

export type AppealStatus = 'open' | 'upheld' | 'overturned';

interface AppealBase {
  id: string;
  reportId: string;
  by: AppealSide;
  appellant: Person | null;
  text: string | null;
  status: AppealStatus;
  createdAt: string;
  decidedAt: string | null;
  decidedBy: Person | null;
  reply: string | null;
  /** The report's, which a decision on the appeal names. */
  version: number;
  /** True where the decision was replaced, which closed the appeal without a reply. */
  superseded: boolean;
}

/** What the queue shows of the report behind an appeal. */
export type AppealedReport = Pick<Report, 'id' | 'resolver' | 'resolution' | 'target' | 'status'> & { title?: string | null; snapshot?: Report['snapshot'] };

export interface AppealItem extends AppealBase {
  report: AppealedReport;
}

export interface Appeal extends AppealBase {
  report: Report;
}

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
