import { core } from '../api/http';
import type { Status } from '../api/types';

/** One change, as the live feed tells it; `type` is the timeline type. */
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

const changeTypes = ['created', 'assigned', 'note_added', 'note_updated', 'note_deleted', 'action', 'resolved', 'reopened'] as const;

/** Reads one frame; anything that is not as the contract says is left out. */
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

const retryAfter = 10_000;

/**
 * Opens the feed and keeps it open. The browser resumes dropped connections by
 * itself with Last-Event-ID; a refused one (the server has no feed, or is down)
 * is tried again every ten seconds. Returns the function that closes it.
 */
export function openFeed(onEvent: (event: LiveEvent) => void, onState: (state: LiveState) => void): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  const connect = () => {
    if (closed) return;
    source = new EventSource(`${core}/moderation/live`);
    source.onopen = () => onState('on');
    source.onerror = () => {
      if (source?.readyState === EventSource.CLOSED) {
        onState('off');
        timer = setTimeout(connect, retryAfter);
      } else {
        onState('connecting');
      }
    };
    for (const type of changeTypes) {
      source.addEventListener(type, (event) => {
        const change = parseChange(type, (event as MessageEvent<string>).data);
        if (change !== null) onEvent(change);
      });
    }
    source.addEventListener('presence', (event) => {
      const presence = parsePresence((event as MessageEvent<string>).data);
      if (presence !== null) onEvent(presence);
    });
    source.addEventListener('reset', () => onEvent({ kind: 'reset' }));
  };

  connect();
  return () => {
    closed = true;
    clearTimeout(timer);
    source?.close();
  };
}
