import { createContext, use, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { readSetting, writeSetting } from '../ui/settings';
import { keyOf, restsWhile } from './keys';

export type Bindings = Record<string, () => void>;

interface Shortcuts {
  enabled: boolean;
  setEnabled: (enabled: boolean) => void;
  add: (bindings: { current: Bindings }) => () => void;
}

const ShortcutContext = createContext<Shortcuts>({ enabled: false, setEnabled: () => {}, add: () => () => {} });

/** Single keys for the whole panel; they rest while somebody types and can be switched off. */
export function ShortcutProvider({ children }: { children: ReactNode }) {
  const [enabled, setEnabledState] = useState(() => readSetting('shortcuts') !== 'off');
  const layers = useRef<{ current: Bindings }[]>([]);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const key = keyOf(event);
      const withModifier = key.startsWith('mod+');
      if (!withModifier && (!enabled || restsWhile(event.target))) return;
      // The newest layer answers first: a screen's own key before the shell's.
      const layer = layers.current.findLast((bindings) => key in bindings.current);
      const run = layer?.current[key];
      if (run === undefined) return;
      event.preventDefault();
      run();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [enabled]);

  const setEnabled = useCallback((next: boolean) => {
    writeSetting('shortcuts', next ? 'on' : 'off');
    setEnabledState(next);
  }, []);

  const add = useCallback((bindings: { current: Bindings }) => {
    layers.current = [...layers.current, bindings];
    return () => {
      layers.current = layers.current.filter((layer) => layer !== bindings);
    };
  }, []);

  const value = useMemo(() => ({ enabled, setEnabled, add }), [enabled, setEnabled, add]);
  return <ShortcutContext value={value}>{children}</ShortcutContext>;
}

/** Binds keys while the component is mounted; names as `keyOf` gives them, e.g. `j`, `?`, `mod+k`. */
export function useShortcuts(bindings: Bindings): void {
  const { add } = use(ShortcutContext);
  const latest = useRef(bindings);
  useEffect(() => {
    latest.current = bindings;
  });
  useEffect(() => add(latest), [add]);
}

export function useShortcutSetting(): Pick<Shortcuts, 'enabled' | 'setEnabled'> {
  const { enabled, setEnabled } = use(ShortcutContext);
  return { enabled, setEnabled };
}
