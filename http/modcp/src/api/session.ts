import { core, get, post, withQuery } from './http';
import type { Grant, User } from './types';

export const readSession = (signal?: AbortSignal) => get<{ user: User | null }>(`${core}/users/session`, signal);

export const signIn = (email: string, password: string) => post<{ user: User }>(`${core}/users/sign-in`, { email, password });

export const signOut = () => post<void>(`${core}/users/sign-out`);

export const readPermissions = (signal?: AbortSignal) =>
  get<{ root: boolean; permissions: Grant[] }>(`${core}/users/permissions`, signal);

/** The plugins' messages by key, whichever way the server wraps them. */
export async function readMessages(locale: string, signal?: AbortSignal): Promise<Record<string, string>> {
  const answer = await get<Record<string, unknown>>(withQuery(`${core}/messages`, { locale }), signal);
  const messages = typeof answer.messages === 'object' && answer.messages !== null ? answer.messages : answer;
  return Object.fromEntries(Object.entries(messages).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
