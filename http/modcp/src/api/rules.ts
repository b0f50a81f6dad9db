import { core, get, post, withQuery } from './http';
import type { Answer, Page, Schemas } from './types';

/** One version of an automated rule. Only its mode changes, and it retires. */
export type Rule = Schemas['Rule'];
export type RuleMode = Schemas['RuleMode'];
export type Then = Schemas['Then'];
export type RuleRef = Schemas['RuleRef'];

const base = `${core}/admin/rules`;
const at = (key: string) => `${base}/${encodeURIComponent(key)}`;

/** The newest version of each rule, retired ones too. */
export const listRules = (query: { first: number; cursor?: string }, signal?: AbortSignal) => get<Page<Rule>>(withQuery(base, { ...query, versions: 'latest' }), signal);

/** The newest hundred versions of a rule, the newest first. */
export const ruleVersions = (key: string, signal?: AbortSignal) => get<Page<Rule>>(withQuery(base, { key, versions: 'all', orderBy: 'publishedAt', order: 'desc', first: 100 }), signal);

/** What its versions matched since they are in the shadow or live. */
export const ruleMatches = (key: string, signal?: AbortSignal) => get<Answer<'listRuleMatches'>>(`${at(key)}/matches`, signal);

/** Publishes the next version; a rule that did not change stays as it is. */
export const publishRule = (draft: Pick<Rule, 'key' | 'title' | 'when' | 'then'>) => post<Rule>(base, draft);
export const setRuleMode = (key: string, mode: RuleMode) => post<Rule>(`${at(key)}/mode`, { mode });
export const retireRule = (key: string) => post<Rule>(`${at(key)}/retire`);
