import { useEffect, useRef } from 'react';

const holders = new Set<() => Promise<boolean>>();

/**
 * Declares work that waits to be undone or is on its way. `sendAll` sends what waits and tells,
 * once all has been answered, whether it was accepted. It is called when the panel closes or the
 * account signs out; leaving the page while `busy` asks first.
 */
export function useHeldBack(busy: boolean, sendAll: () => Promise<boolean>): void {
  const latest = useRef(sendAll);
  useEffect(() => {
    latest.current = sendAll;
  });
  useEffect(() => {
    const send = () => latest.current();
    holders.add(send);
    return () => {
      holders.delete(send);
      void send();
    };
  }, []);
  useEffect(() => {
    if (!busy) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [busy]);
}

/** Sends all that is held back, and tells whether it was accepted. */
export async function sendHeldBack(): Promise<boolean> {
  const accepted = await Promise.all(Array.from(holders, (send) => send()));
  return accepted.every(Boolean);
}
