import { core, get, post } from './http';
import type { Answer } from './types';

/** A reporter with their latest mutes, newest first. */
export type Reporter = Answer<'getReporter'>;
export type Mute = Reporter['mutes'][number];

const one = (id: string) => `${core}/moderation/reporters/${encodeURIComponent(id)}`;

export const readReporter = (id: string, signal?: AbortSignal) => get<Reporter>(one(id), signal);

export const muteReporter = (id: string, until: string, reason: string) => post<Reporter>(`${one(id)}/mute`, { until, reason });

export const unmuteReporter = (id: string) => post<Reporter>(`${one(id)}/unmute`, {});
