import { core, get, withQuery } from './http';
import type { Answer, Schemas } from './types';

export type Stats = Answer<'getStats'>;
/** What a policy led to, in whichever version it was cited. */
export type PolicyFigures = Schemas['PolicyFigures'];

export const readStats = (signal?: AbortSignal) => get<Stats>(`${core}/moderation/stats`, signal);

/** Outcomes of a set of reports, within the caller's grants. */
export type ReportRecord = Schemas['ReportRecord'];
export type TargetRecord = Answer<'getTargetStats'>;
/** The decisions that stand on an author's content. */
export type AuthorRecord = Answer<'getAuthorRecord'>;

/** Strikes and measures are as they stood `at` a time; now without one. */
export const authorRecord = (author: string, pluginId: string, signal?: AbortSignal, at?: string) =>
  get<AuthorRecord>(withQuery(`${core}/moderation/authors/${encodeURIComponent(author)}`, { pluginId, at }), signal);

export const reporterRecord = (id: string, signal?: AbortSignal) =>
  get<ReportRecord>(`${core}/moderation/stats/reporters/${encodeURIComponent(id)}`, signal);

export const targetRecord = (target: { pluginId: string; type: string; id: string }, signal?: AbortSignal) =>
  get<TargetRecord>(withQuery(`${core}/moderation/stats/target`, { pluginId: target.pluginId, targetType: target.type, targetId: target.id }), signal);
