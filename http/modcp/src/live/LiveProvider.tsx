import { createContext, use, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { openFeed, type LiveEvent, type LiveState } from './feed';

interface Live {
  state: LiveState;
  listen: (listener: (event: LiveEvent) => void) => () => void;
}

const LiveContext = createContext<Live>({ state: 'off', listen: () => () => {} });

/** One connection to the live feed for all that is on the screen. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState<LiveState>('connecting');
  const listeners = useRef(new Set<(event: LiveEvent) => void>());

  useEffect(
    () =>
      openFeed((event) => {
        for (const listener of [...listeners.current]) listener(event);
      }, setState),
    [],
  );

  const value = useMemo<Live>(
    () => ({
      state,
      listen: (listener) => {
        listeners.current.add(listener);
        return () => listeners.current.delete(listener);
      },
    }),
    [state],
  );
  return <LiveContext value={value}>{children}</LiveContext>;
}

export function useLiveState(): LiveState {
  return use(LiveContext).state;
}

/** Hears every live event while the component is mounted; the newest handler is the one called. */
export function useLive(handler: (event: LiveEvent) => void): void {
  const { listen } = use(LiveContext);
  const latest = useRef(handler);
  useEffect(() => {
    latest.current = handler;
  });
  useEffect(() => listen((event) => latest.current(event)), [listen]);
}

/** How often to ask again where the feed does not tell: false while it is open. */
export function usePollInterval(milliseconds: number): number | false {
  return useLiveState() === 'on' ? false : milliseconds;
}
