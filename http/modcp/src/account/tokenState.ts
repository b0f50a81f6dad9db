import type { OwnToken } from '../api/account';

/** Reports whether a token works at a moment, in milliseconds, and why not. */
export function tokenState({ expiresAt, revokedAt }: OwnToken, now: number): 'usable' | 'expired' | 'isRevoked' {
  if (revokedAt !== null) return 'isRevoked';
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'usable';
}
