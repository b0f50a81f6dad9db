import type { Note } from '../../api/types';
import { usePermission } from '../../session/usePermission';
import { useUser } from '../../session/useSession';

/**
 * Which buttons a note offers: on the moderator's own notes, and on others' with the
 * permission. The server decides whether the permission covers this report.
 */
export function useNoteRights(note: Note): { edit: boolean; remove: boolean; pin: boolean } {
  const self = useUser();
  const manages = usePermission('can_manage_reports');
  const edits = usePermission('can_edit_notes');
  const removes = usePermission('can_delete_notes');
  const own = note.author !== null && note.author.id === self?.id;
  return { edit: manages && (own || edits), remove: manages && (own || removes), pin: manages };
}
