import { core, get, post, withQuery } from './http';
import type { Page, StaffUser } from './types';

const users = `${core}/admin/users`;

export interface Account extends StaffUser {
  /** True where nobody can sign in to it. */
  disabled: boolean;
  /** True where the password alone does not sign in. */
  secondFactor: boolean;
  createdAt: string;
}

export interface InvitedAccount extends Account {
  /** The link to choose a password; null where it was mailed. */
  link: string | null;
}

export const listAccounts = (query: Record<string, string | number | undefined>, signal?: AbortSignal) => get<Page<Account>>(withQuery(users, query), signal);

/** Makes an account; its owner is mailed in the language. */
export const inviteAccount = (account: { email: string; name: string }, language: string) => post<InvitedAccount>(users, account, language);

export const setAccountDisabled = (id: string, disabled: boolean) => post<Account>(`${users}/${id}/${disabled ? 'disable' : 'enable'}`);

export const resetFactors = (id: string) => post<Account>(`${users}/${id}/factors/reset`);
