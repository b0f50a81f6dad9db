import { startTransition, useEffect, useState } from 'react';

/** Rows that fill a phone, and most of a larger screen. */
const first = 8;

let painted = false;

/** The rows that a list renders. Of the first list of a tab those that fill a screen come alone, and the rest, with what stands below the list, once they are painted. */
export function useFirstRows<T>(rows: readonly T[]): readonly T[] {
  const [all, setAll] = useState(painted);
  const some = rows.length > 0;
  useEffect(() => {
    if (all || !some) return;
    // A hidden tab paints no frame, and its rows wait until somebody looks.
    const frame = requestAnimationFrame(() => setTimeout(() => {
      painted = true;
      startTransition(() => setAll(true));
    }));
    return () => cancelAnimationFrame(frame);
  }, [all, some]);
  return all ? rows : rows.slice(0, first);
}
