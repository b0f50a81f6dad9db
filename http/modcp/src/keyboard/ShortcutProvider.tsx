import { createContext, use, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { readSetting, writeSetting } from '../storage/settings';
import { digitOf, keyOf, takesKeys } from './pressedKey';

export type Bindings = Record<string, () => void>;

/** Milliseconds within which the second key of a sequence such as `g n` follows the first. */
const sequencePause = 1_500;

/** Milliseconds in which letters for a field that has just gone, such as that of a form that a colleague closed, run nothing. */
const leftover = 1_500;

interface Shortcuts {
  enabled: boolean;
  setEnabled: (enabled: boolean) => void;
  add: (bindings: { current: Bindings }) => () => void;
}

const ShortcutContext = createContext<Shortcuts>({ enabled: false, setEnabled: () => {}, add: () => () => {} });

/** Single-key shortcuts for the whole panel; inactive while somebody types, and they can be switched off. */
export function ShortcutProvider({ children }: { children: ReactNode }) {
  const [enabled, setEnabledState] = useState(() => readSetting('shortcuts') !== 'off');
  const layers = useRef<{ current: Bindings }[]>([]);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const key = keyOf(event);
      const withModifier = key.startsWith('mod+');
      if (!withModifier && takesKeys(event.target)) {
        typed = event.key.length === 1 && (event.target as Element).matches('input, textarea, [contenteditable="true"]') ? { field: event.target as Element, at: event.timeStamp } : null;
        return;
      }
      const gone = typed !== null && !typed.field.isConnected && event.timeStamp - typed.at < leftover;
      if (typed !== null && gone && event.key.length === 1) typed.at = event.timeStamp;
      if (!withModifier && (!enabled || gone)) return;
      const bound = (name: string) => layers.current.findLast((bindings) => name in bindings.current)?.current[name];
      // A digit is a place on the keyboard, where a screen binds it; it decides, so it does not repeat while it is held down.
      const digit = digitOf(event);
      const pressed = prefix === '' ? (bound(digit) === undefined ? key : digit) : `${prefix} ${key}`;
      forget();
      // The newest layer wins: a screen's key before the shell's.
      const run = bound(pressed);
      if (run !== undefined) {
        event.preventDefault();
        if (!event.repeat || pressed !== digit) run();
      } else if (layers.current.some((bindings) => Object.keys(bindings.current).some((name) => name.startsWith(`${pressed} `)))) {
        event.preventDefault();
        prefix = pressed;
        timer = setTimeout(forget, sequencePause);
      }
    };
    let prefix = '';
    let typed: { field: Element; at: number } | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const forget = () => {
      clearTimeout(timer);
      prefix = '';
    };
    const onPointerDown = () => {
      typed = null;
    };
    document.addEventListener('keydown', onKeyDown);
    document.addEventListener('pointerdown', onPointerDown);
    return () => {
      forget();
      document.removeEventListener('keydown', onKeyDown);
      document.removeEventListener('pointerdown', onPointerDown);
    };
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
  useEffect(() => {
    return add(latest);
  }, [add]);
}

export function useShortcutSetting(): Pick<Shortcuts, 'enabled' | 'setEnabled'> {
  const { enabled, setEnabled } = use(ShortcutContext);
  return { enabled, setEnabled };
}
