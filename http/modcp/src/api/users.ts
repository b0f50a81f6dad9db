import { core, get, post, withQuery } from './http';
import type { Page, Schemas } from './types';

const users = `${core}/admin/users`;

export type Account = Schemas['Account'];
export type InvitedAccount = Schemas['InvitedAccount'];

export const listAccounts = (query: Record<string, string | number | undefined>, signal?: AbortSignal) => get<Page<Account>>(withQuery(users, query), signal);

/** Makes an account; its owner is mailed in the language. */
export const inviteAccount = (account: { email: string; name: string }, language: string) => post<InvitedAccount>(users, account, language);

export const setAccountDisabled = (id: string, disabled: boolean) => post<Account>(`${users}/${id}/${disabled ? 'disable' : 'enable'}`);

/** Marks a trusted flagger of the organisation of this name; null takes the mark away. */
export const setTrusted = (id: string, name: string | null) => post<Account>(`${users}/${id}/trusted`, { trusted: name !== null, name });

export const resetFactors = (id: string) => post<Account>(`${users}/${id}/factors/reset`);
