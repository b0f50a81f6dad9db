import { useSyncExternalStore } from 'react';

/** Small settings kept in this browser; without storage they last as long as the page. Those of a person carry the account's id. */
export type Setting =
  | 'scheme'
  | 'locale'
  | 'shortcuts'
  | 'advance'
  | 'advanceTo'
  | 'moderates'
  | 'board'
  | 'firstSteps'
  | 'split'
  | `care.${string}`
  | `notesRead.${string}`
  | `may.${string}`;

const prefix = 'docket.';
/** What storage refused. */
const refused = new Map<Setting, string>();
const listeners = new Set<() => void>();

export function readSetting(name: Setting): string | null {
  try {
    return refused.get(name) ?? localStorage.getItem(prefix + name);
  } catch {
    return null;
  }
}

export function writeSetting(name: Setting, value: string): void {
  try {
    localStorage.setItem(prefix + name, value);
    refused.delete(name);
  } catch {
    // Private windows may refuse storage.
    refused.set(name, value);
  }
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
};

/** A setting as it is now, also where another tab changes it. */
export const useSetting = (name: Setting): string | null => useSyncExternalStore(subscribe, () => readSetting(name));
