import { core, get, post, request, withQuery } from './http';
import type { Answer, Page, Schemas } from './types';

/** A statement of reasons to the EU's transparency database. */
export type DatabaseStatement = Schemas['Statement'];
export type StatementStatus = Schemas['StatementStatus'];
export type StatementMissing = Schemas['StatementMissing'];
/** What a rule says to the database. */
export type StatementBasis = Schemas['StatementBasis'];

export const statementStatuses: readonly StatementStatus[] = ['incomplete', 'pending', 'sent', 'refused', 'superseded'];

const base = `${core}/admin/statements`;

export const listStatements = (query: { status?: string; first: number; cursor?: string }, signal?: AbortSignal) => get<Page<DatabaseStatement>>(withQuery(base, query), signal);
export const readStatementSettings = (signal?: AbortSignal) => get<Answer<'getStatementSettings'>>(`${base}/settings`, signal);
export const retryStatement = (id: string) => post<DatabaseStatement>(`${base}/${encodeURIComponent(id)}/retry`);

/** The statement of a decision that is being written. */
export const previewStatement = (report: string, decision: { policy: Schemas['PolicyRef'] | null; actions: string[]; measures: Schemas['MeasureRequests'] }, signal?: AbortSignal) =>
  request<Answer<'previewStatement'>>(`${core}/moderation/reports/${encodeURIComponent(report)}/statement`, { method: 'POST', body: decision, signal });
