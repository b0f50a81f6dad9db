import { core, get, post } from './http';
import type { Schemas } from './types';

/** An appeal as its appellant sees it. */
export type OwnAppeal = Schemas['MemberAppeal'];
/** A decision that concerns the signed-in member. */
export type MemberDecision = Schemas['Concern'];

const base = `${core}/users/decisions`;
const one = (id: string) => `${base}/${encodeURIComponent(id)}`;

export const readDecision = (id: string, signal?: AbortSignal) => get<MemberDecision>(one(id), signal);

export const appealDecision = (id: string, text: string) => post<unknown>(`${one(id)}/appeal`, { text });
