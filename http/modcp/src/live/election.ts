/**
 * Elects one of the tabs that are candidates for a name: calls `hold` in it, and in another
 * tab as soon as the first withdraws or is gone. The function that `hold` returns is called
 * when the tab stops holding. Returns the function that withdraws.
 */
export type Election = (name: string, hold: () => () => void) => () => void;

/** The browser passes the lock on when the tab is closed, crashes or withdraws. */
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
  // If the browser grants no locks, each tab holds.
  navigator.locks.request(name, { signal: withdrawn.signal }, held).catch(held);
  return () => {
    withdrawn.abort();
    end();
  };
};

const beat = 500;
const answerWithin = 250;
const shown = () => document.visibilityState === 'visible';
/** Milliseconds without a message after which the holder counts as gone. Browsers slow hidden tabs down. */
const patience = () => (shown() ? 1_500 : 90_000);

type Word = { say: 'ask' | 'gone' } | { say: 'hold'; id: number; shown: boolean };

/**
 * Browsers have no Web Locks for pages over plain HTTP from another machine. There the
 * holder announces itself twice a second, and a tab that receives nothing takes over. Of two
 * holders, a visible one stays, or else the one with the lower id.
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
