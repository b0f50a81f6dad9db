import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { LiveEvent } from './events';
import { useLive } from './LiveProvider';

/** Reads a query again some milliseconds after the last live event that concerns it: a list lags behind the event, and events come in rows. */
export function useRefresh(queryKey: QueryKey, after: number, concerns: (event: LiveEvent) => boolean): void {
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useLive((event) => {
    if (!concerns(event)) return;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void client.invalidateQueries({ queryKey }), after);
  });
}
