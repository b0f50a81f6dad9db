import { useQuery } from '@tanstack/react-query';
import { keys } from '../../api/queryKeys';
import { readAdminPermissions } from '../../api/session';

/** Reports whether the user may do what an area of the administration allows, such as `users:can_manage`. The server checks every request. */
export function useAdminArea(area: string): boolean {
  const held = useQuery({ queryKey: keys.adminPermissions, queryFn: ({ signal }) => readAdminPermissions(signal), staleTime: 60_000 });
  return held.data?.root === true || held.data?.permissions.some((grant) => `${grant.module}:${grant.permission}` === area) === true;
}
