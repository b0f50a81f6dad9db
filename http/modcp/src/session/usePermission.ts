import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { keys } from '../api/queryKeys';
import { readPermissions } from '../api/session';
import { readSetting, writeSetting } from '../storage/settings';
import { useUser } from './useSession';

type Permission = 'can_approve' | 'can_decide_appeals' | 'can_impose_measures' | 'can_manage_reports' | 'can_mute_reporters' | 'can_view_quality' | 'can_edit_notes' | 'can_delete_notes';

export const permissionsQuery = queryOptions({ queryKey: keys.permissions, queryFn: ({ signal }) => readPermissions(signal), staleTime: 60_000 });

/**
 * Reports whether the user holds a moderator's permission anywhere; the server decides where. Until the server
 * has said so, it is as it was in this browser last, so that nothing moves when the answer comes.
 */
export function usePermission(permission: Permission): boolean {
  const user = useUser();
  const { data } = useQuery({ ...permissionsQuery, enabled: user?.isModerator === true });
  const held = data === undefined ? undefined : data.root === true || data.permissions.some((grant) => grant.permission === permission);
  const mark = `${user?.id ?? ''}:${held === true ? 'yes' : 'no'}`;
  useEffect(() => {
    if (held !== undefined) writeSetting(`may.${permission}`, mark);
  }, [held, mark, permission]);
  return held ?? (user !== null && readSetting(`may.${permission}`) === `${user.id}:yes`);
}
