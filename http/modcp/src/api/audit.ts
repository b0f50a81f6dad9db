import { core, get, withQuery } from './http';
import type { Page, Schemas } from './types';

/** An event of the log, without the words that people wrote. */
export type LoggedEvent = Schemas['LoggedEvent'];

export interface EventQuery {
  /** Events behind this position. */
  after: number | undefined;
  actorId: string;
  type: string;
  reportId: string;
  occurredAfter: string;
  occurredBefore: string;
  order: 'asc' | 'desc';
  first: number;
  cursor: string;
}

export const listEvents = (query: EventQuery, signal?: AbortSignal) => get<Page<LoggedEvent>>(withQuery(`${core}/moderation/events`, { ...query }), signal);
