import { core, get, post, request, withQuery } from './http';
import type { Page, Person } from './types';

export type PlatformState = 'serving' | 'faulty' | 'off';

/** A platform that holds content elsewhere, as the server that answers knows it. */
export interface Platform {
  id: string;
  /** Null for one of a file, which cannot be changed here. */
  version: number | null;
  source: 'panel' | 'file';
  types: string[];
  state: PlatformState;
  lastGood: string | null;
  lastFault: { at: string; path: string; message: string } | null;
  breaker: 'closed' | 'open';
}

/** A fault of a manifest; line 0 is the whole. */
export interface ManifestFault {
  line: number;
  path: string;
  message: string;
}

export interface PlatformVersion {
  version: number;
  off: boolean;
  at: string;
  by: Person | null;
}

export interface PlatformCall {
  at: string;
  path: string;
  status: number | null;
  milliseconds: number;
  fault: string | null;
}

export interface PlatformDetail extends Platform {
  manifest: string | null;
  faults: ManifestFault[];
  versions: PlatformVersion[];
  calls: PlatformCall[];
  /** In the answer that makes it only. */
  secret?: string;
}

export interface PlatformAnswer {
  path: string;
  status: number | null;
  body: string;
  faults: string[];
}

const base = `${core}/admin/platforms`;
const at = (id: string) => `${base}/${encodeURIComponent(id)}`;

export const listPlatforms = (query: { first: number; cursor?: string }, signal?: AbortSignal) => get<Page<Platform>>(withQuery(base, query), signal);

/** Reads a platform; `version` is the one whose manifest is wanted. */
export const readPlatform = (id: string, version?: number, signal?: AbortSignal) => get<PlatformDetail>(withQuery(at(id), { version }), signal);

export const checkManifest = (manifest: string, signal?: AbortSignal) =>
  request<{ faults: ManifestFault[]; notes: ManifestFault[] }>(`${base}/check`, { method: 'POST', body: { manifest }, signal });

export const fetchManifest = (url: string) => post<{ manifest: string }>(`${base}/fetch`, { url });

/** Saves the next version of a platform; that of a new one follows version 0. */
export const savePlatform = (id: string, manifest: string, expectedVersion: number) => request<PlatformDetail>(at(id), { method: 'PUT', body: { manifest, expectedVersion } });

export const renewSecret = (id: string) => post<PlatformDetail>(`${at(id)}/secret`);
export const switchPlatform = (id: string, on: boolean) => post<PlatformDetail>(`${at(id)}/${on ? 'on' : 'off'}`);
export const restorePlatform = (id: string, version: number) => post<PlatformDetail>(`${at(id)}/restore`, { version });
export const tryPlatform = (id: string, type: string, targetId: string) => post<{ answers: PlatformAnswer[] }>(`${at(id)}/try`, { type, targetId });
