import { useQuery } from '@tanstack/react-query';
import { keys } from '../api/queryKeys';
import { readReporter } from '../api/reporters';
import { readPermissions } from '../api/session';
import { useUser } from '../session/useSession';

/** A reporter with their mutes. */
export function useReporter(id: string) {
  return useQuery({ queryKey: keys.reporter(id), queryFn: ({ signal }) => readReporter(id, signal) });
}

/** Reports whether the user may mute reporters anywhere; the server decides whom. */
export function useMuteAccess(): boolean {
  const user = useUser();
  const held = useQuery({ queryKey: keys.permissions, queryFn: ({ signal }) => readPermissions(signal), staleTime: 60_000, enabled: user?.isModerator === true });
  return held.data?.root === true || held.data?.permissions.some((grant) => grant.permission === 'can_mute_reporters') === true;
}
