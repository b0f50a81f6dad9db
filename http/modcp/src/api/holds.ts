import { core, get, post, withQuery } from './http';
import type { Body, Page, Schemas } from './types';

/** A legal hold, which keeps words from being erased. */
export type Hold = Schemas['Hold'];
export type HoldStatus = Schemas['HoldStatus'];

/** What is held: reports or an author, and why. */
export type NewHold = Body<'setHold'>;

export const holdStatuses: readonly HoldStatus[] = ['standing', 'lifted', 'ended'];

const base = `${core}/admin/holds`;

export const listHolds = (query: { status?: string; reportId?: string; first: number; cursor?: string }, signal?: AbortSignal) => get<Page<Hold>>(withQuery(base, query), signal);
export const setHold = (hold: NewHold) => post<Hold>(base, hold);
export const liftHold = (id: string) => post<Hold>(`${base}/${encodeURIComponent(id)}/lift`);
