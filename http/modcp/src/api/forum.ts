import { get, withQuery } from './http';
import type { Page } from './types';

/** The demo forum's public content, as far as the demo site shows it. */
export type ForumKind = 'topics' | 'posts' | 'profiles';

export interface ForumContent {
  id: string;
  [field: string]: unknown;
}

export const listForum = (kind: ForumKind, query: Record<string, string | number | undefined>, signal?: AbortSignal) =>
  get<Page<ForumContent>>(withQuery(`/api/forum/${kind}`, query), signal);

export const readForum = (kind: ForumKind, id: string, signal?: AbortSignal) =>
  get<ForumContent>(`/api/forum/${kind}/${encodeURIComponent(id)}`, signal);

/** Public content of any plugin, at the path that its target type names. */
export const readPublicContent = (pluginId: string, path: string, id: string, locale: string, signal?: AbortSignal) =>
  get<Record<string, unknown>>(withQuery(`/api/${encodeURIComponent(pluginId)}/${encodeURIComponent(path)}/${encodeURIComponent(id)}`, { locale }), signal);
