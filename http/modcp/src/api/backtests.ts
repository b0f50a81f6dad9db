import { core, get, post, request } from './http';
import type { RuleRef } from './rules';
import type { Answer, Schemas } from './types';

/** What a condition would have matched among all reports. */
export type Backtest = Schemas['Backtest'];
export type BacktestResult = Schemas['BacktestResult'];
export type Outcome = BacktestResult['examples'][number]['outcome'];
export type RuleCheck = Answer<'checkRule'>;

const base = `${core}/admin/rules/backtests`;
const at = (id: string) => `${base}/${encodeURIComponent(id)}`;

export const checkRule = (when: string, signal?: AbortSignal) => request<RuleCheck>(`${core}/admin/rules/check`, { method: 'POST', body: { when }, signal });

/** The newest twenty. */
export const listBacktests = (signal?: AbortSignal) => get<Answer<'listBacktests'>>(base, signal);
export const readBacktest = (id: string, signal?: AbortSignal) => get<Backtest>(at(id), signal);

/** Starts one on the reports filed from `since` on and before `until`, null being without a bound, and compares it with a version of a rule. */
export const startBacktest = (asked: { when: string; since: string | null; until: string | null; against?: RuleRef }) => post<Backtest>(base, asked);
export const cancelBacktest = (id: string) => post<Backtest>(`${at(id)}/cancel`);

/** Judges the newest reports by a condition that is not published. */
export const tryRule = (when: string, signal?: AbortSignal) => request<Answer<'tryRule'>>(`${core}/admin/rules/try`, { method: 'POST', body: { when }, signal });
