import { useEffect, useState } from 'react';
import { announcePresence } from '../api/reports';
import { isMissingRoute } from '../api/http';
import type { Person } from '../api/types';
import { useUser } from '../app/useSession';
import { useLive } from '../live/LiveProvider';

const every = 20_000;

/** Says that this report is being looked at, and tells who else does. */
export function usePresence(id: string): Person[] {
  const self = useUser();
  const [others, setOthers] = useState<Person[]>([]);

  useEffect(() => {
    setOthers([]);
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
  }, [id]);

  useLive((event) => {
    if (event.kind === 'presence' && event.reportId === id) setOthers(event.people.filter((person) => person.id !== self?.id));
  });
  return others;
}
