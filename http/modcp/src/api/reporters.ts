import { core, get, post } from './http';
import type { Grant, Person } from './types';

export interface Mute {
  until: string;
  reason: string;
  /** Null where that account is deleted. */
  mutedBy: Person | null;
  mutedAt: string;
  /** When it was ended before its time. */
  endedAt: string | null;
  /** Where it counts; null means everywhere. */
  reach: Grant[] | null;
}

/** A reporter with their latest mutes, newest first. */
export interface Reporter extends Person {
  /** Null for a reporter who is not muted. */
  mutedUntil: string | null;
  mutes: Mute[];
}

const one = (id: string) => `${core}/moderation/reporters/${encodeURIComponent(id)}`;

export const readReporter = (id: string, signal?: AbortSignal) => get<Reporter>(one(id), signal);

export const muteReporter = (id: string, until: string, reason: string) => post<Reporter>(`${one(id)}/mute`, { until, reason });

export const unmuteReporter = (id: string) => post<Reporter>(`${one(id)}/unmute`, {});
