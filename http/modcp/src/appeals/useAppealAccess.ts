import { useQuery } from '@tanstack/react-query';
import { keys } from '../api/queryKeys';
import { readPermissions } from '../api/session';
import { useUser } from '../session/useSession';

/** Reports whether the user decides appeals somewhere; the server decides which. */
export function useAppealAccess(): boolean {
  const user = useUser();
  const held = useQuery({ queryKey: keys.permissions, queryFn: ({ signal }) => readPermissions(signal), staleTime: 60_000, enabled: user?.isModerator === true });
  return held.data?.root === true || held.data?.permissions.some((grant) => grant.permission === 'can_decide_appeals') === true;
}
