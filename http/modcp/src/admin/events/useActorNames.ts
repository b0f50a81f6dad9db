import { useQuery } from '@tanstack/react-query';
import { keys } from '../../api/queryKeys';
import { listStaff } from '../../api/staff';
import { useUser } from '../../session/useSession';

/** The names of those who work on reports, by their ids; the log keeps ids alone. */
export function useActorNames(): ReadonlyMap<string, string> {
  const self = useUser();
  const staff = useQuery({ queryKey: [...keys.staff('moderator'), 'names'], queryFn: ({ signal }) => listStaff('moderator', { first: 100 }, signal), retry: false });
  const people = (staff.data?.edges ?? []).flatMap(({ user }) => (user === null ? [] : [user]));
  return new Map([...people, ...(self === null ? [] : [self])].map(({ id, name }) => [id, name]));
}
