import { core, get, post, request, withQuery } from './http';
import type { Answer, Page, Schemas } from './types';

/** A platform that holds content elsewhere, as the server that answers knows it. */
export type Platform = Schemas['Platform'];
export type PlatformDetail = Schemas['PlatformDetail'];
export type ManifestFault = Schemas['ManifestFault'];
export type PlatformVersion = PlatformDetail['versions'][number];
export type PlatformAnswer = Answer<'tryPlatform'>['answers'][number];

const base = `${core}/admin/platforms`;
const at = (id: string) => `${base}/${encodeURIComponent(id)}`;

export const listPlatforms = (query: { first: number; cursor?: string }, signal?: AbortSignal) => get<Page<Platform>>(withQuery(base, query), signal);

/** Reads a platform; `version` is the one whose manifest is wanted. */
export const readPlatform = (id: string, version?: number, signal?: AbortSignal) => get<PlatformDetail>(withQuery(at(id), { version }), signal);

export const checkManifest = (manifest: string, signal?: AbortSignal) =>
  request<Answer<'checkPlatform'>>(`${base}/check`, { method: 'POST', body: { manifest }, signal });

export const fetchManifest = (url: string) => post<Answer<'fetchManifest'>>(`${base}/fetch`, { url });

/** Saves the next version of a platform; that of a new one follows version 0. */
export const savePlatform = (id: string, manifest: string, expectedVersion: number) => request<PlatformDetail>(at(id), { method: 'PUT', body: { manifest, expectedVersion } });

export const renewSecret = (id: string) => post<PlatformDetail>(`${at(id)}/secret`);
export const switchPlatform = (id: string, on: boolean) => post<PlatformDetail>(`${at(id)}/${on ? 'on' : 'off'}`);
export const restorePlatform = (id: string, version: number) => post<PlatformDetail>(`${at(id)}/restore`, { version });
export const tryPlatform = (id: string, type: string, targetId: string) => post<Answer<'tryPlatform'>>(`${at(id)}/try`, { type, targetId });
