import { core, get, post, put, remove, withQuery } from './http';
import type { Page, Schemas } from './types';

const users = `${core}/users`;

export type OwnSession = Schemas['OwnSession'];
export type OwnToken = Schemas['OwnToken'];
/** What a token may be used for; each allows what those before it do. */
export type TokenUse = OwnToken['use'];

type PageQuery = Record<string, string | number | undefined>;

export const changeName = (name: string) => post<void>(`${users}/name`, { name });

/** Revokes the tokens that may write, unless they are kept. */
export const changePassword = (current: string, chosen: string, keepTokens: boolean) => post<void>(`${users}/password`, { current, new: chosen, keepTokens });

export const listSessions = (query: PageQuery, signal?: AbortSignal) => get<Page<OwnSession>>(withQuery(`${users}/sessions`, query), signal);

export const endSession = (id: string) => remove<void>(`${users}/sessions/${id}`);

/** Ends every session but the one that asks. An account holds fewer than one page of them. */
export async function endOtherSessions(): Promise<void> {
  const { edges } = await listSessions({ first: 100 });
  await Promise.all(edges.filter((session) => !session.current).map((session) => endSession(session.id).catch(unlessGone)));
}

function unlessGone(error: unknown): void {
  if (!(error instanceof Object && 'status' in error && error.status === 404)) throw error;
}

export const listTokens = (query: PageQuery, signal?: AbortSignal) => get<Page<OwnToken>>(withQuery(`${users}/tokens`, query), signal);

export const createToken = (token: { name: string; use: TokenUse; expiresAt: string | null }) => post<OwnToken>(`${users}/tokens`, token);

export const revokeToken = (id: string) => remove<void>(`${users}/tokens/${id}`);

/** Asks for a mail, in the language, with a link to choose another password. */
export const forgotPassword = (email: string, language: string) => post<void>(`${users}/forgot`, { email }, language);

/** Which mail a moderator wants about what waits. */
export type Digest = Schemas['Digest'];

export const readDigest = (signal?: AbortSignal) => get<Digest>(`${users}/digest`, signal);

/** Mail comes in the language. */
export const saveDigest = (digest: Digest, language: string) => put<Digest>(`${users}/digest`, digest, language);

export const stopDigest = (token: string) => post<void>(`${users}/digest/stop`, { token });

export const resetPassword = (token: string, password: string) => post<void>(`${users}/reset`, { token, password });

export const setUp = (account: { token: string; email: string; name: string; password: string }) => post<{ id: string }>(`${users}/setup`, account);
