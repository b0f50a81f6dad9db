import { core, get, post, withQuery } from './http';
import type { MeasureKind, Page, Resolution } from './types';

/** A notice to a member: about their report, a decision on their content, a measure on themselves, or their appeal. */
export interface Notice {
  id: string;
  reportId: string;
  target: { pluginId: string; type: string; id: string; title: string };
  /** Empty for an action and a measure. */
  resolution: Resolution | '';
  /** Absent on servers that tell only reporters. */
  kind?: 'report' | 'decision' | 'appeal' | 'action' | 'measure';
  /** In the language that was asked for. */
  subject?: string;
  /** The whole text, in the same language. */
  paragraphs?: string[];
  /** Of an appeal. */
  outcome?: 'upheld' | 'overturned' | null;
  reply?: string | null;
  /** Of a measure that was imposed or, with endedBy, has ended. */
  measure?: { kind: MeasureKind; until: string | null; endedBy: 'expiry' | 'overturn' | 'moderator' | null } | null;
  /** Only where the moderator chose to share it. */
  explanation: string | null;
  createdAt: string;
  readAt: string | null;
}

export const listNotices = (locale: string, signal?: AbortSignal) => get<Page<Notice>>(withQuery(`${core}/users/notices`, { first: 5, locale }), signal);

export const readNotice = (id: string) => post<unknown>(`${core}/users/notices/${encodeURIComponent(id)}/read`);
