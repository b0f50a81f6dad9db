import { core, withQuery } from '../api/http';
import { changeTypes, parseChange, parsePresence, type LiveEvent, type LiveState } from './events';

const retryAfter = 10_000;

interface Ears {
  /** An event, and the id to continue from after it. */
  onEvent: (event: LiveEvent, id: string) => void;
  onState: (state: LiveState) => void;
}

/**
 * Opens the feed behind the id, or at what comes next when there is none, and keeps it
 * open. The browser resumes dropped connections by itself with Last-Event-ID; a refused
 * one (the server has no feed, or is down) is tried again every ten seconds. Returns the
 * function that closes it.
 */
export function openFeed(after: string, { onEvent, onState }: Ears): () => void {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = after;

  const connect = () => {
    source = new EventSource(withQuery(`${core}/moderation/live`, { lastEventId: last }));
    source.onopen = () => onState('on');
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) {
        onState('off');
        timer = setTimeout(connect, retryAfter);
      } else {
        onState('connecting');
      }
    };
    const hear = (type: string, read: (data: string) => LiveEvent | null) => {
      source.addEventListener(type, ({ data, lastEventId }: MessageEvent<string>) => {
        last = lastEventId;
        const event = read(data);
        if (event !== null) onEvent(event, last);
      });
    };
    for (const type of changeTypes) hear(type, (data) => parseChange(type, data));
    hear('presence', parsePresence);
    hear('reset', () => ({ kind: 'reset' }));
  };

  connect();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}
