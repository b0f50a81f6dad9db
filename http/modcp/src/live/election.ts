/**
 * Elects one of the tabs that stand for a name: calls `hold` in it, and in another tab
 * as soon as it withdraws or is gone. What `hold` returns ends its time. Returns the
 * function that withdraws.
 */
export type Election = (name: string, hold: () => () => void) => () => void;

/** The browser hands the lock on when its tab is closed, crashes or withdraws. */
export const electByLock: Election = (name, hold) => {
  const withdrawn = new AbortController();
  let end = () => {};
  const held = () =>
    new Promise<void>((resolve) => {
      if (withdrawn.signal.aborted) return resolve();
      const stop = hold();
      end = () => {
        stop();
        resolve();
      };
    });
  // Where the browser gives no locks out, each tab holds.
  navigator.locks.request(name, { signal: withdrawn.signal }, held).catch(held);
  return () => {
    withdrawn.abort();
    end();
  };
};

const beat = 500;
const answerWithin = 250;
const shown = () => document.visibilityState === 'visible';
/** Milliseconds without a word after which the holder is taken for gone. Browsers slow hidden tabs down. */
const patience = () => (shown() ? 1_500 : 90_000);

type Word = { say: 'ask' | 'gone' } | { say: 'hold'; id: number; shown: boolean };

/**
 * Browsers keep Web Locks from pages that come over plain HTTP from another machine.
 * There the holder says twice a second that it is one, and who hears nothing takes over.
 * Of two holders a shown tab stays, or else the lower id.
 */
export const electByVoice: Election = (name, hold) => {
  const id = Math.random();
  const channel = new BroadcastChannel(`${name}:holder`);
  const say = (word: Word) => channel.postMessage(word);
  let stop: (() => void) | null = null;
  let heard = -Infinity;
  let timer: ReturnType<typeof setTimeout>;

  const tickIn = (milliseconds: number) => {
    clearTimeout(timer);
    timer = setTimeout(tick, milliseconds);
  };
  const claim = () => say({ say: 'hold', id, shown: shown() });
  const tick = () => {
    if (stop === null && performance.now() - heard >= patience()) stop = hold();
    if (stop !== null) claim();
    tickIn(beat);
  };
  channel.onmessage = ({ data }: MessageEvent<Word>) => {
    if (data.say === 'hold') {
      heard = performance.now();
      if (stop === null) return;
      if (data.shown === shown() ? id < data.id : shown()) return claim();
      stop();
      stop = null;
    } else if (stop !== null) {
      claim();
    } else if (data.say === 'gone') {
      heard = -Infinity;
      tickIn(Math.random() * answerWithin);
    }
  };

  say({ say: 'ask' });
  tickIn(answerWithin);
  return () => {
    clearTimeout(timer);
    stop?.();
    if (stop !== null) say({ say: 'gone' });
    channel.close();
  };
};

export const elect: Election = (name, hold) => ('locks' in navigator ? electByLock : electByVoice)(name, hold);
