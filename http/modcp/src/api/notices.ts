import { core, get, post, withQuery } from './http';
import type { Page, Resolution } from './types';

/** A notice to a member: about their report, a decision on their content, or their appeal. */
export interface Notice {
  id: string;
  reportId: string;
  target: { pluginId: string; type: string; id: string; title: string };
  resolution: Resolution;
  /** Absent on servers that tell only reporters. */
  kind?: 'report' | 'decision' | 'appeal';
  /** In the language that was asked for. */
  subject?: string;
  /** Of an appeal. */
  outcome?: 'upheld' | 'overturned' | null;
  reply?: string | null;
  /** Only where the moderator chose to share it. */
  explanation: string | null;
  createdAt: string;
  readAt: string | null;
}

export const listNotices = (locale: string, signal?: AbortSignal) => get<Page<Notice>>(withQuery(`${core}/users/notices`, { first: 5, locale }), signal);

export const readNotice = (id: string) => post<unknown>(`${core}/users/notices/${encodeURIComponent(id)}/read`);
