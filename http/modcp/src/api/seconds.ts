import { core, get, post, put, withQuery } from './http';
import type { PolicyRef } from './policies';
import type { Answer, Page, Resolution, Schemas } from './types';

/** A decision to decide again, without what was decided. */
export type SecondTask = Schemas['SecondTask'];
/** A decision that was decided again, and what came of it. */
export type Second = Schemas['Second'];
export type ListedSecond = Schemas['ListedSecond'];
export type SecondStatus = Schemas['SecondStatus'];
export type SecondVerdict = NonNullable<Second['first']>;
/** How much is decided again. */
export type Quality = Schemas['Quality'];

/** What waits for a lead comes first. */
export const secondStatuses: readonly SecondStatus[] = ['disputed', 'drawn', 'agreed', 'settled'];

const base = `${core}/moderation/seconds`;
const one = (id: string) => `${base}/${encodeURIComponent(id)}`;

/** Takes the next decision to decide again; undefined where nothing waits. */
export const nextSecond = () => post<SecondTask | undefined>(withQuery(`${core}/moderation/next`, { kind: 'second' }), {});

export const decideSecond = (id: string, resolution: Resolution, policy: PolicyRef | null) => post<Second>(one(id), { resolution, policy });

export const leaveSecond = (id: string) => post<undefined>(`${one(id)}/leave`);

export const listSeconds = (query: { status: SecondStatus; first: number; cursor?: string }, signal?: AbortSignal) => get<Page<ListedSecond>>(withQuery(base, query), signal);

export const settleSecond = (id: string, settlement: { stands: boolean; reason: string; reopen: boolean }) => post<Second>(`${one(id)}/settle`, settlement);

/** How often others agreed with what the user decided. */
export const readOwnAgreement = (signal?: AbortSignal) => get<Answer<'getAgreement'>>(withQuery(`${core}/moderation/stats/agreement`, { mine: true }), signal);

const settings = `${core}/admin/quality`;

export const readQuality = (signal?: AbortSignal) => get<Quality>(settings, signal);
export const setQuality = (quality: { percent: number; golden: number }) => put<Quality>(settings, quality);
