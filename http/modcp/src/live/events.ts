import type { Status } from '../api/types';

/** One change, as the live feed sends it; `type` is the timeline type. */
export interface LiveChange {
  kind: 'change';
  type: string;
  reportId: string;
  sequence: number;
  version: number;
  status: Status;
  assigneeId: string | null;
}

/** Who is looking at a report now. */
export interface LivePresence {
  kind: 'presence';
  reportId: string;
  people: { id: string; name: string }[];
}

export type LiveEvent = LiveChange | LivePresence | { kind: 'reset' };
export type LiveState = 'connecting' | 'on' | 'off';

export const changeTypes = ['created', 'assigned', 'note_added', 'note_updated', 'note_deleted', 'note_pinned', 'decision_held', 'held_released', 'held_lapsed', 'action', 'action_requested', 'action_failed', 'resolved', 'reopened', 'appealed', 'appeal_decided', 'overdue', 'escalated', 'returned', 'measure_imposed', 'measure_ended', 'measure_pending', 'measure_confirmed', 'measure_failed', 'signalled', 'rule_matched', 'second_decided', 'second_settled'] as const;

/** Reads one frame; null for anything of another form. */
export function parseChange(type: string, data: string): LiveChange | null {
  try {
    const body = JSON.parse(data) as Partial<LiveChange> | null;
    if (typeof body?.reportId !== 'string' || typeof body.sequence !== 'number') return null;
    return {
      kind: 'change',
      type,
      reportId: body.reportId,
      sequence: body.sequence,
      version: typeof body.version === 'number' ? body.version : 0,
      status: body.status === 'done' || body.status === 'in_progress' ? body.status : 'new',
      assigneeId: typeof body.assigneeId === 'string' ? body.assigneeId : null,
    };
  } catch {
    return null;
  }
}

export function parsePresence(data: string): LivePresence | null {
  try {
    const body = JSON.parse(data) as { reportId?: unknown; viewers?: unknown; people?: unknown; users?: unknown } | null;
    const people = body?.viewers ?? body?.people ?? body?.users;
    if (typeof body?.reportId !== 'string' || !Array.isArray(people)) return null;
    return {
      kind: 'presence',
      reportId: body.reportId,
      people: people.filter((p): p is { id: string; name: string } => typeof p?.id === 'string' && typeof p?.name === 'string'),
    };
  } catch {
    return null;
  }
}
