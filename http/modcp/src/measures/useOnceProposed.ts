import { useEffect, useRef, useState } from 'react';
import { useKeyHold } from '../keyboard/ShortcutProvider';
import type { MeasureChoice } from './useMeasureChoice';

/** Milliseconds for which a decision waits for the ladder. */
const patience = 10_000;

/**
 * Sends a form's decision once the ladder has answered what it would impose. Keys that are pressed
 * meanwhile are for what comes after it. Where something is proposed, the form is to be looked at first.
 */
export function useOnceProposed({ asking, error, ready, lines }: MeasureChoice, send: () => void): { waits: boolean; submit: () => void } {
  const [since, setSince] = useState<Element | null>(null);
  const waits = since !== null && asking;
  useKeyHold(waits);
  const latest = useRef(send);
  useEffect(() => {
    latest.current = send;
  });
  const proposed = error !== null || !ready || lines.some(({ proposal, ticked }) => proposal !== null && ticked);
  useEffect(() => {
    if (since === null) return;
    const back = () => {
      setSince(null);
      if (since instanceof HTMLElement) since.focus();
    };
    if (asking) {
      const timer = setTimeout(back, patience);
      return () => clearTimeout(timer);
    }
    if (proposed) back();
    else {
      setSince(null);
      latest.current();
    }
    return undefined;
  }, [since, asking, proposed]);
  const submit = () => {
    if (!asking) {
      send();
      return;
    }
    // Outside of the form keys wait.
    const focused = document.activeElement;
    setSince(focused);
    if (focused instanceof HTMLElement) focused.blur();
  };
  return { waits, submit };
}
