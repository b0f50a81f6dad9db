import { elect } from './election';
import type { LiveEvent, LivePresence, LiveState } from './events';
import { openFeed } from './feed';

/** Messages from the tab that holds the feed to the others, and the question of a new tab. */
type Word =
  | { say: 'event'; event: LiveEvent; id: string }
  | { say: 'state'; state: LiveState }
  | { say: 'hello' }
  | { say: 'welcome'; state: LiveState; id: string; present: LivePresence[] };

interface Ears {
  onEvent: (event: LiveEvent) => void;
  onState: (state: LiveState) => void;
}

/**
 * Takes part in the one live feed that all tabs of an account share: a browser allows
 * six connections to a host, and a feed occupies one for as long as it is open. The tabs
 * elect the one that holds it. A page that is left releases it, even if the browser keeps
 * the page for Back. Returns the function that leaves.
 */
export function joinFeed(account: string, ears: Ears): () => void {
  let leave: (() => void) | null = join(account, ears);
  const stop = () => {
    leave?.();
    leave = null;
  };
  const resume = () => {
    if (leave !== null) return;
    ears.onState('connecting');
    leave = join(account, ears);
    // It received nothing while it was away.
    ears.onEvent({ kind: 'reset' });
  };
  addEventListener('pagehide', stop);
  addEventListener('pageshow', resume);
  document.addEventListener('freeze', stop);
  document.addEventListener('resume', resume);
  return () => {
    removeEventListener('pagehide', stop);
    removeEventListener('pageshow', resume);
    document.removeEventListener('freeze', stop);
    document.removeEventListener('resume', resume);
    stop();
  };
}

function join(account: string, { onEvent, onState }: Ears): () => void {
  const name = `docket.live:${account}`;
  const channel = new BroadcastChannel(name);
  const tell = (word: Word) => channel.postMessage(word);
  const present = new Map<string, LivePresence>();
  let state: LiveState = 'connecting';
  /** The id of the newest event, whichever tab held the feed then. */
  let last = '';
  let holds = false;
  let follows = false;

  const hear = (event: LiveEvent, id: string) => {
    last = id;
    if (event.kind === 'presence') {
      if (event.people.length > 0) present.set(event.reportId, event);
      else present.delete(event.reportId);
    }
    onEvent(event);
  };
  const turn = (next: LiveState) => {
    state = next;
    onState(next);
  };

  channel.onmessage = ({ data }: MessageEvent<Word>) => {
    if (data.say === 'hello') {
      if (holds) tell({ say: 'welcome', state, id: last, present: [...present.values()] });
      return;
    }
    if (holds) return;
    if (data.say === 'event') return hear(data.event, data.id);
    if (data.say === 'welcome') {
      if (follows) return;
      last = data.id;
      for (const event of data.present) hear(event, last);
    }
    follows = true;
    turn(data.state);
  };

  const hold = () => {
    holds = true;
    // Without an id to continue from, what happened between two holders is unknown.
    if (follows && last === '') {
      tell({ say: 'event', event: { kind: 'reset' }, id: '' });
      onEvent({ kind: 'reset' });
    }
    const close = openFeed(last, {
      onEvent: (event, id) => {
        tell({ say: 'event', event, id });
        hear(event, id);
      },
      onState: (next) => {
        tell({ say: 'state', state: next });
        turn(next);
      },
    });
    return () => {
      holds = false;
      follows = true;
      close();
      tell({ say: 'state', state: 'connecting' });
      turn('connecting');
    };
  };

  const withdraw = elect(name, hold);
  tell({ say: 'hello' });
  return () => {
    withdraw();
    channel.close();
  };
}
