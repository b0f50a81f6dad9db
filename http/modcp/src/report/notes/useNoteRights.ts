import { useQuery } from '@tanstack/react-query';
import { keys } from '../../api/queryKeys';
import { readPermissions } from '../../api/session';
import type { Note } from '../../api/types';
import { useUser } from '../../session/useSession';

/**
 * Which buttons a note offers: on the moderator's own notes, and on others' with the
 * permission. The server decides whether the permission covers this report.
 */
export function useNoteRights(note: Note): { edit: boolean; remove: boolean } {
  const self = useUser();
  const held = useQuery({ queryKey: keys.permissions, queryFn: ({ signal }) => readPermissions(signal), staleTime: 60_000, enabled: self !== null });
  const has = (permission: string) => held.data?.root === true || held.data?.permissions.some((grant) => grant.permission === permission) === true;
  const manages = has('can_manage_reports');
  const own = note.author !== null && note.author.id === self?.id;
  return { edit: manages && (own || has('can_edit_notes')), remove: manages && (own || has('can_delete_notes')) };
}
