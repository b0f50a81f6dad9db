import { core, get, withQuery } from './http';
import type { Page, Schemas } from './types';

/** An event of the log, without the words that people wrote. */
export type LoggedEvent = Schemas['LoggedEvent'];

export interface EventQuery {
  /** Events behind this position. */
  after?: number;
  order: 'asc' | 'desc';
  first: number;
  cursor: string;
}

export const listEvents = ({ after, order, first, cursor }: EventQuery, signal?: AbortSignal) =>
  get<Page<LoggedEvent>>(withQuery(`${core}/moderation/events`, { after, order, first, cursor }), signal);
