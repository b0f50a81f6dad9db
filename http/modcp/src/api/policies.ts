import { core, get, post, withQuery } from './http';
import type { Page, RichTextNode } from './types';

/** Names one version of a policy for good. */
export interface PolicyRef {
  key: string;
  version: number;
}

/** One version of a rule of the community. Versions never change. */
export interface Policy extends PolicyRef {
  title: string;
  text: RichTextNode | string;
  /** What reasons to an author start from, or null. */
  template: RichTextNode | string | null;
  /** How many a decision by it gives the author, each for `strikeDays`. */
  strikes: number;
  strikeDays: number;
  publishedAt: string;
  retiredAt: string | null;
}

export interface PolicyDraft {
  key: string;
  title: string;
  text: RichTextNode;
  template?: RichTextNode;
  strikes: number;
  strikeDays: number;
}

const base = `${core}/moderation/policies`;

/** Policies in force, which everybody may read; `latest` has retired ones too. */
export const listPolicies = (query: { first: number; cursor?: string; versions?: 'latest'; order?: 'asc' }, signal?: AbortSignal) => get<Page<Policy>>(withQuery(base, query), signal);

/** Every version of a policy, retired ones too. */
export const policyVersions = (key: string, signal?: AbortSignal) => get<Page<Policy>>(withQuery(base, { key, versions: 'all', first: 100 }), signal);

/** Publishes the next version; a policy that did not change stays as it is. */
export const publishPolicy = (draft: PolicyDraft) => post<Policy>(`${core}/admin/policies`, draft);

export const retirePolicy = (key: string) => post<unknown>(`${core}/admin/policies/${encodeURIComponent(key)}/retire`);
