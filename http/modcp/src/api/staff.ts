import { core, get, patch, post, remove, withQuery } from './http';
import type { CatalogPlugin, Grant, Page, ScopeItem, StaffEntry, User } from './types';

const base = `${core}/admin/staff`;

export type StaffKind = 'moderator' | 'admin';

const entry = (kind: StaffKind, id: string) => `${base}/entry/${kind}/${encodeURIComponent(id)}`;

export const listStaff = (kind: StaffKind, query: Record<string, string | number | undefined>, signal?: AbortSignal) =>
  get<Page<StaffEntry>>(withQuery(`${base}/${kind}s`, query), signal);

export const readStaff = (kind: StaffKind, id: string, signal?: AbortSignal) => get<StaffEntry>(entry(kind, id), signal);

export const createStaff = (kind: StaffKind, userId: string) => post<{ id: string }>(`${base}/entry/${kind}`, { userId });

export interface StaffChange {
  unrestricted: boolean;
  permissions: Grant[];
  expectedUpdatedAt?: string;
}

export const updateStaff = (kind: StaffKind, id: string, change: StaffChange) => patch<StaffEntry>(entry(kind, id), change);

export const removeStaff = (kind: StaffKind, id: string) => remove<void>(entry(kind, id));

export interface StaffRights {
  unrestricted: boolean;
  permissions: Grant[];
}

export interface StaffHistoryEntry {
  id: string;
  action: string;
  /** Null for an operator at the command line; a null name is a deleted account. */
  actor: { id: string; name: string | null } | null;
  before: StaffRights | null;
  after: StaffRights | null;
  at: string;
}

export const readStaffHistory = (kind: StaffKind, id: string, signal?: AbortSignal) =>
  get<Page<StaffHistoryEntry>>(`${entry(kind, id)}/history`, signal);

export async function readCatalog(signal?: AbortSignal): Promise<CatalogPlugin[]> {
  const answer = await get<CatalogPlugin[] | { items: CatalogPlugin[] }>(`${base}/permissions`, signal);
  return Array.isArray(answer) ? answer : answer.items;
}

const resources = (family: string) => `${base}/scope-resources/${encodeURIComponent(family)}`;

export const searchResources = (family: string, search: string, cursor: string | undefined, signal?: AbortSignal) =>
  get<{ items: ScopeItem[]; nextCursor: string | null }>(withQuery(resources(family), { search, cursor, limit: 50 }), signal);

export const labelResources = (family: string, ids: string[], signal?: AbortSignal) =>
  get<{ items: ScopeItem[]; missing: string[] }>(withQuery(resources(family), { ids: ids.join(',') }), signal);

export const searchUsers = (search: string, signal?: AbortSignal) =>
  get<Page<Pick<User, 'id' | 'name' | 'email'>>>(withQuery(`${core}/admin/users`, { search, first: 20 }), signal);
