import { core, get, patch, post, remove, withQuery } from './http';
import type { CatalogPlugin, Grant, Page, ScopeItem, Schemas, StaffEntry } from './types';

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

export type StaffRights = Schemas['StaffRights'];
export type StaffHistoryEntry = Schemas['StaffChange'];

export const readStaffHistory = (kind: StaffKind, id: string, signal?: AbortSignal) =>
  get<Page<StaffHistoryEntry>>(`${entry(kind, id)}/history`, signal);

export const readCatalog = (signal?: AbortSignal) => get<CatalogPlugin[]>(`${base}/permissions`, signal);

const resources = (family: string) => `${base}/scope-resources/${encodeURIComponent(family)}`;

export const searchResources = (family: string, search: string, cursor: string | undefined, signal?: AbortSignal) =>
  get<{ items: ScopeItem[]; nextCursor: string | null }>(withQuery(resources(family), { search, cursor, limit: 50 }), signal);

export const labelResources = (family: string, ids: string[], signal?: AbortSignal) =>
  get<{ items: ScopeItem[]; missing: string[] }>(withQuery(resources(family), { ids: ids.join(',') }), signal);

export const searchUsers = (search: string, signal?: AbortSignal) =>
  get<Page<Schemas['Account']>>(withQuery(`${core}/admin/users`, { search, first: 20 }), signal);
