import { core, get, post, request } from './http';
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

/** Starts one on the reports filed from `since` on and before `until`; null is without a bound. */
export const startBacktest = (when: string, since: string | null, until: string | null) => post<Backtest>(base, { when, since, until });
export const cancelBacktest = (id: string) => post<Backtest>(`${at(id)}/cancel`);
