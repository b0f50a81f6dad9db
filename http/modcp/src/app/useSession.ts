import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { keys } from '../api/keys';
import { readSession, signOut } from '../api/session';
import type { User } from '../api/types';

export const sessionQuery = queryOptions({ queryKey: keys.session, queryFn: ({ signal }) => readSession(signal), staleTime: 60_000 });

export function useSession() {
  return useQuery(sessionQuery);
}

/** The signed-in user, inside screens that RequireUser guards. */
export function useUser(): User | null {
  return useSession().data?.user ?? null;
}

export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: signOut,
    onSettled: () => {
      // What one account saw must not greet the next one.
      client.removeQueries({ predicate: (query) => query.queryKey[0] !== keys.session[0] && query.queryKey[0] !== 'messages' });
      client.setQueryData(keys.session, { user: null });
    },
  });
}
