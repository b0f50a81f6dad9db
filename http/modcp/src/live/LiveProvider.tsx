import { createContext, use, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import type { LiveEvent, LiveState } from './events';
import { joinFeed } from './sharedFeed';

interface Live {
  state: LiveState;
  listen: (listener: (event: LiveEvent) => void) => () => void;
  /** Who has a report open, by the last message. */
  viewersOf: (reportId: string) => Viewers;
}

type Viewers = { id: string; name: string }[];

const nobody: Viewers = [];

const LiveContext = createContext<Live>({ state: 'off', listen: () => () => {}, viewersOf: () => nobody });

/** One place in the account's live feed for all that is on the screen; none where the account may not hear it. */
export function LiveProvider({ account, children }: { account: string | null; children: ReactNode }) {
  const [state, setState] = useState<LiveState>(account === null ? 'off' : 'connecting');
  const listeners = useRef(new Set<(event: LiveEvent) => void>());
  const viewers = useRef(new Map<string, Viewers>());

  useEffect(() => {
    const onEvent = (event: LiveEvent) => {
      if (event.kind === 'presence') viewers.current.set(event.reportId, event.people);
      for (const listener of Array.from(listeners.current)) listener(event);
    };
    return account === null ? undefined : joinFeed(account, { onEvent, onState: setState });
  }, [account]);

  const feed = useMemo<Omit<Live, 'state'>>(
    () => ({
      listen: (listener) => {
        listeners.current.add(listener);
        return () => listeners.current.delete(listener);
      },
      viewersOf: (reportId) => viewers.current.get(reportId) ?? nobody,
    }),
    [],
  );
  const value = useMemo(() => ({ state, ...feed }), [state, feed]);
  return <LiveContext value={value}>{children}</LiveContext>;
}

export function useLiveState(): LiveState {
  return use(LiveContext).state;
}

/** Calls the newest handler with every live event while the component is mounted. */
export function useLive(handler: (event: LiveEvent) => void): void {
  const { listen } = use(LiveContext);
  const latest = useRef(handler);
  useEffect(() => {
    latest.current = handler;
  });
  useEffect(() => {
    return listen((event) => latest.current(event));
  }, [listen]);
}

/** Who looks at a report now, the caller among them. */
export function useViewers(reportId: string): Viewers {
  const { listen, viewersOf } = use(LiveContext);
  const [seen, setSeen] = useState(() => ({ reportId, people: viewersOf(reportId) }));
  useEffect(() => {
    setSeen({ reportId, people: viewersOf(reportId) });
    return listen((event) => {
      if (event.kind === 'presence' && event.reportId === reportId) setSeen({ reportId, people: event.people });
    });
  }, [reportId, listen, viewersOf]);
  return seen.reportId === reportId ? seen.people : nobody;
}

/** How often to ask again where the feed does not tell: false while it is open. */
export function usePollInterval(milliseconds: number): number | false {
  return useLiveState() === 'on' ? false : milliseconds;
}
