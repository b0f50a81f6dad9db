import { core, get, withQuery } from './http';
import type { Page } from './types';

/** An event of the log, without the words that people wrote. */
export interface LoggedEvent {
  /** From 1, without gaps. */
  position: number;
  eventId: string;
  reportId: string;
  sequence: number;
  version: number;
  type: string;
  actorId: string | null;
  occurredAt: string;
  payload: Record<string, unknown>;
  hash: string;
}

export interface EventQuery {
  /** Events behind this position. */
  after?: number;
  order: 'asc' | 'desc';
  first: number;
  cursor: string;
}

export const listEvents = ({ after, order, first, cursor }: EventQuery, signal?: AbortSignal) =>
  get<Page<LoggedEvent>>(withQuery(`${core}/moderation/events`, { after, order, first, cursor }), signal);
