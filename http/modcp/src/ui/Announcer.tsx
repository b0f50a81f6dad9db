import { createContext, use, useCallback, useMemo, useRef, useState, type ReactNode } from 'react';

type Announce = (text: string, urgent?: boolean) => void;

const AnnounceContext = createContext<Announce>(() => {});

/** Two live regions for the whole panel: screen readers hear what sighted people see happen. */
export function AnnouncerProvider({ children }: { children: ReactNode }) {
  const [polite, setPolite] = useState('');
  const [urgent, setUrgent] = useState('');
  const flip = useRef(false);
  const announce = useCallback<Announce>((text, isUrgent = false) => {
    // A text equal to the last one is not read again, so an invisible mark alternates.
    flip.current = !flip.current;
    (isUrgent ? setUrgent : setPolite)(flip.current ? `${text}\u200b` : text);
  }, []);
  const value = useMemo(() => announce, [announce]);
  return (
    <AnnounceContext value={value}>
      {children}
      <div className="visually-hidden" role="status" aria-live="polite" data-testid="announcer">
        {polite}
      </div>
      <div className="visually-hidden" role="alert" aria-live="assertive">
        {urgent}
      </div>
    </AnnounceContext>
  );
}

export function useAnnounce(): Announce {
  return use(AnnounceContext);
}
