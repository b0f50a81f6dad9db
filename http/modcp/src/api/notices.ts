import { core, get, post, withQuery } from './http';
import type { Page, Resolution } from './types';

/** What a reporter is told when a report is resolved. */
export interface ReportNotice {
  id: string;
  reportId: string;
  target: { pluginId: string; type: string; id: string; title: string };
  resolution: Resolution;
  /** Only where the moderator chose to share it. */
  explanation: string | null;
  createdAt: string;
  readAt: string | null;
}

export const listNotices = (signal?: AbortSignal) => get<Page<ReportNotice>>(withQuery(`${core}/users/notices`, { first: 5 }), signal);

export const readNotice = (id: string) => post<unknown>(`${core}/users/notices/${encodeURIComponent(id)}/read`);
