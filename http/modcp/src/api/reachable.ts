import { useSyncExternalStore } from 'react';

let reachable = true;
const listeners = new Set<() => void>();

/** Notes whether the last request was answered, whatever the answer. */
export function noteReachable(answered: boolean): void {
  if (answered === reachable) return;
  reachable = answered;
  for (const notify of listeners) notify();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  const onOffline = () => noteReachable(false);
  const onOnline = () => noteReachable(true);
  window.addEventListener('offline', onOffline);
  window.addEventListener('online', onOnline);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('offline', onOffline);
    window.removeEventListener('online', onOnline);
  };
}

/** Reports whether the server can be reached, as far as the browser and the last request know. */
export const useReachable = () => useSyncExternalStore(subscribe, () => reachable);
