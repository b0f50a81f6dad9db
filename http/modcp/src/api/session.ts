import { core, get, post, request, withQuery } from './http';
import type { SecondStep } from './factors';
import type { Schemas, User } from './types';

export type Session = Schemas['Session'];
/** The ways to sign in that the server offers. */
export type SignInWays = Session['signIn'];

export const readSession = (signal?: AbortSignal) => get<Session>(`${core}/users/session`, signal);

export const signIn = (email: string, password: string) => post<{ user: User; factor?: undefined } | { user?: undefined; factor: SecondStep }>(`${core}/users/sign-in`, { email, password });

/** Where a browser goes to sign in by the identity provider; it comes back to `next`. */
export const oidcStart = (next: string) => withQuery(`${core}/users/oidc/start`, { next });

export const signOut = () => request<void>(`${core}/users/sign-out`, { method: 'POST', keepalive: true });

type OwnPermissions = Schemas['OwnPermissions'];

/** What the user may do as a moderator. */
export const readPermissions = (signal?: AbortSignal) => get<OwnPermissions>(`${core}/users/permissions`, signal);

/** What the user may do as an administrator. */
export const readAdminPermissions = (signal?: AbortSignal) => get<OwnPermissions>(`${core}/users/permissions/admin`, signal);

/** The plugins' messages by key. */
export const readMessages = (locale: string, signal?: AbortSignal) => get<Record<string, string>>(withQuery(`${core}/messages`, { locale }), signal);
