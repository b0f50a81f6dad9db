import { useCallback, useState } from 'react';

/** Drafts survive conflicts, reloads and navigation; they end with the tab. */
const prefix = 'docket.draft:';

export function readDraft<T>(key: string): T | null {
  try {
    const stored = sessionStorage.getItem(prefix + key);
    return stored === null ? null : (JSON.parse(stored) as T);
  } catch {
    return null;
  }
}

/** Keeps a draft, or deletes it where the value is null, on whatever screen shows it next. */
export function writeDraft(key: string, value: unknown): void {
  try {
    if (value === null) sessionStorage.removeItem(prefix + key);
    else sessionStorage.setItem(prefix + key, JSON.stringify(value));
  } catch {
    // Without storage a draft lasts as long as the screen.
  }
}

/** The draft of a decision on a report. */
export const decisionDraft = (reportId: string) => `${reportId}:decision`;

export function useDraft<T>(key: string): [T | null, (value: T | null) => void] {
  const [held, setHeld] = useState<{ key: string; value: T | null }>(() => ({ key, value: readDraft<T>(key) }));
  const current = held.key === key ? held.value : readDraft<T>(key);
  if (held.key !== key) setHeld({ key, value: current });
  const set = useCallback(
    (value: T | null) => {
      writeDraft(key, value);
      setHeld({ key, value });
    },
    [key],
  );
  return [current, set];
}
