import { listPath } from '../board/listPath';
import { queryOptions, useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { keys } from '../api/queryKeys';
import { readSession, signOut, type Session } from '../api/session';
import type { User } from '../api/types';
import { readSetting, writeSetting } from '../storage/settings';
import { sendHeldBack } from './heldBack';

export const sessionQuery = queryOptions({
  queryKey: keys.session,
  queryFn: async ({ signal }) => {
    const session = await readSession(signal);
    rememberRights(session.user);
    return session;
  },
  staleTime: 60_000,
});

/** Keeps for the next page load whether this browser's account moderates. */
function rememberRights(user: User | null): void {
  writeSetting('moderates', user?.isModerator === true ? 'yes' : 'no');
}

/** Reports whether the account of the page load before moderated: a guess, made before the session is read, here and in boot.js. */
export const moderatedBefore = () => readSetting('moderates') === 'yes';

export function useSession() {
  return useQuery(sessionQuery);
}

/** The signed-in user, inside screens that RequireUser guards. */
export function useUser(): User | null {
  return useSession().data?.user ?? null;
}

/** Notes who is signed in from now on; the ways to sign in stay. */
export function setUser(client: QueryClient, user: User | null): void {
  const session = client.getQueryData<Session>(keys.session);
  if (session === undefined) client.removeQueries({ queryKey: keys.session });
  else client.setQueryData<Session>(keys.session, { ...session, user });
  rememberRights(user);
}

/** The path of the screen that a user begins with. */
export function firstScreen(user: User): string {
  if (user.isModerator) return listPath();
  return user.isAdmin ? '/admin/core' : '/';
}

export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      // Whoever held back what is refused has something to look at still.
      if (!(await sendHeldBack())) return;
      // A read would be answered after the session has ended: those under way are stopped, and
      // the screens that begin others are left.
      await client.cancelQueries();
      setUser(client, null);
      try {
        await signOut();
      } finally {
        // One account's data must not be shown to the next.
        client.removeQueries({ predicate: (query) => query.queryKey[0] !== keys.session[0] && query.queryKey[0] !== 'messages' });
      }
    },
  });
}
