import { core, get, post, withQuery } from './http';
import type { Page, Report, Schemas } from './types';

/** A decision that waits for a second person, in its report. */
export type HeldDetail = Schemas['HeldDetail'];
/** The same in the list of what waits. */
export type HeldItem = Schemas['HeldItem'];

const base = `${core}/moderation/held`;

export const listHeld = (query: { first: number; cursor?: string }, signal?: AbortSignal) => get<Page<HeldItem>>(withQuery(base, { ...query }), signal);

/** Approves or rejects what is held; the version is that of its first report, which comes back. */
export const releaseHeld = (id: string, verdict: 'approve' | 'reject', expectedVersion: number, reason: string) =>
  post<Report>(`${base}/${encodeURIComponent(id)}/${verdict}`, { expectedVersion, ...(reason === '' ? {} : { reason }) });
