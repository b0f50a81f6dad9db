import { core, get, post, withQuery } from './http';
import type { SecondStep } from './factors';
import type { Grant, User } from './types';

export interface Session {
  user: User | null;
  signIn: SignInWays;
  /** The demo's forum is served, and is the front page. */
  demoForum: boolean;
  /** The session reaches only its own account until that has a second factor. */
  factorRequired: boolean;
}

/** The ways to sign in that the server offers. */
export interface SignInWays {
  passwords: boolean;
  /** The organisation's identity provider, or null. */
  oidc: { name: string } | null;
}

export const readSession = (signal?: AbortSignal) => get<Session>(`${core}/users/session`, signal);

export const signIn = (email: string, password: string) => post<{ user: User; factor?: undefined } | { user?: undefined; factor: SecondStep }>(`${core}/users/sign-in`, { email, password });

/** Where a browser goes to sign in by the identity provider; it comes back to `next`. */
export const oidcStart = (next: string) => withQuery(`${core}/users/oidc/start`, { next });

export const signOut = () => post<void>(`${core}/users/sign-out`);

interface OwnPermissions {
  root: boolean;
  permissions: Grant[];
}

/** What the user may do as a moderator. */
export const readPermissions = (signal?: AbortSignal) => get<OwnPermissions>(`${core}/users/permissions`, signal);

/** What the user may do as an administrator. */
export const readAdminPermissions = (signal?: AbortSignal) => get<OwnPermissions>(`${core}/users/permissions/admin`, signal);

/** The plugins' messages by key, whichever way the server wraps them. */
export async function readMessages(locale: string, signal?: AbortSignal): Promise<Record<string, string>> {
  const answer = await get<Record<string, unknown>>(withQuery(`${core}/messages`, { locale }), signal);
  const messages = typeof answer.messages === 'object' && answer.messages !== null ? answer.messages : answer;
  return Object.fromEntries(Object.entries(messages).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
