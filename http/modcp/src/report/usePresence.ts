import { useEffect, useMemo } from 'react';
import { announcePresence } from '../api/reports';
import { isMissingRoute } from '../api/http';
import type { Person } from '../api/types';
import { useUser } from '../session/useSession';
import { useViewers } from '../live/LiveProvider';

const every = 20_000;

/** Announces that this report is being viewed, and returns who else views it; silent until the report is known to be there. */
export function usePresence(id: string, known: boolean): Person[] {
  const self = useUser();
  const viewers = useViewers(id);

  useEffect(() => {
    if (!known) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stopped = false;
    const announce = async () => {
      if (document.visibilityState === 'visible') {
        try {
          await announcePresence(id);
        } catch (error) {
          if (isMissingRoute(error)) return;
        }
      }
      if (!stopped) timer = setTimeout(() => void announce(), every);
    };
    void announce();
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [id, known]);

  return useMemo(() => viewers.filter((person) => person.id !== self?.id), [viewers, self?.id]);
}
