import { core, get, post, withQuery } from './http';
import type { Page, Schemas } from './types';

/** A notice to a member: about their report, a decision on their content, a measure on themselves, or their appeal. */
export type Notice = Schemas['Notice'];

export const listNotices = (locale: string, signal?: AbortSignal) => get<Page<Notice>>(withQuery(`${core}/users/notices`, { first: 5, locale }), signal);

export const readNotice = (id: string) => post<unknown>(`${core}/users/notices/${encodeURIComponent(id)}/read`);
