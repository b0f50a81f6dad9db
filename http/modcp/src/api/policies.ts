import { core, get, post, withQuery } from './http';
import type { Body, Page, Schemas } from './types';

/** Names one version of a policy for good. */
export type PolicyRef = Schemas['PolicyRef'];
/** One version of a rule of the community. Versions never change. */
export type Policy = Schemas['Policy'];

export type PolicyDraft = Body<'publishPolicy'>;

const base = `${core}/moderation/policies`;

/** Policies in force, which everybody may read; `latest` has retired ones too. */
export const listPolicies = (query: { first: number; cursor?: string; versions?: 'latest'; order?: 'asc' }, signal?: AbortSignal) => get<Page<Policy>>(withQuery(base, query), signal);

/** Every version of a policy, retired ones too. */
export const policyVersions = (key: string, signal?: AbortSignal) => get<Page<Policy>>(withQuery(base, { key, versions: 'all', first: 100 }), signal);

/** Publishes the next version; a policy that did not change stays as it is. */
export const publishPolicy = (draft: PolicyDraft) => post<Policy>(`${core}/admin/policies`, draft);

export const retirePolicy = (key: string) => post<unknown>(`${core}/admin/policies/${encodeURIComponent(key)}/retire`);
