import { createContext, use, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { useLocation } from 'react-router';
import { readSetting, writeSetting } from '../storage/settings';
import { digitOf, keyOf, takesKeys } from './pressedKey';

export type Bindings = Record<string, () => void>;

/** The keys of a screen or a part of it; not ready while what they act on is still loading. */
interface Layer {
  bindings: Bindings;
  ready: boolean;
}

/** Milliseconds within which the second key of a sequence such as `g n` follows the first. */
const sequencePause = 1_500;

/** Milliseconds for which a key waits for its screen. */
const patience = 10_000;

/** Milliseconds after which a dialog is looked at again for its focus. */
const focusPause = 20;

/** Milliseconds in which letters for a field that has just gone, such as that of a form that a colleague closed, run nothing. */
const leftover = 1_500;

const sendKey = 'mod+Enter';

const writable = 'input, textarea, [contenteditable="true"]';

const writes = (element: EventTarget | null) => takesKeys(element) && (element as Element).matches(writable);

const underDialog = () => document.querySelector('[aria-modal="true"]') !== null;

/** The newest layer wins: a screen's key before the shell's. */
const layerOf = (layers: readonly { current: Layer }[], name: string) => layers.findLast(({ current }) => name in current.bindings)?.current;

interface Shortcuts {
  enabled: boolean;
  setEnabled: (enabled: boolean) => void;
  add: (layer: { current: Layer }) => () => void;
  /** Runs what was pressed meanwhile, where its layer is ready. */
  flush: () => void;
  /** Lets keys wait until the screen that loads is there; returns what ends it, and with false drops what was meant for a screen that does not come. */
  hold: () => (comes?: boolean) => void;
}

const ShortcutContext = createContext<Shortcuts>({ enabled: false, setEnabled: () => {}, add: () => () => {}, flush: () => {}, hold: () => () => {} });

/**
 * Single-key shortcuts for the whole panel; inactive while somebody types, and they can be switched off.
 *
 * Keys act in the order in which they are pressed. One whose screen or dialog still loads waits, and so does
 * every key after it. Nothing waits once a field has the focus: it takes what waits as its text before
 * it hears the next key.
 */
export function ShortcutProvider({ children }: { children: ReactNode }) {
  const [enabled, setEnabledState] = useState(() => readSetting('shortcuts') !== 'off');
  const layers = useRef<{ current: Layer }[]>([]);
  /** What was pressed while its layer was not ready, and everything after it. */
  const waiting = useRef<{ key: string; text: string; at: number }[]>([]);

  const holds = useRef(0);
  const { pathname } = useLocation();
  const rendered = useRef(pathname);
  /** The address changes before its screen is there. */
  const loads = () => holds.current > 0 || window.location.pathname !== rendered.current;

  const flush = useCallback(() => {
    const [first] = waiting.current;
    if (first === undefined) return;
    const focused = document.activeElement;
    const late = performance.now() - first.at > patience;
    if (loads() && !late && !writes(focused)) return;
    const layer = layerOf(layers.current, first.key);
    const field = takesKeys(focused);
    // A field takes them as text, whatever else they would wait for.
    if (layer?.ready === false && !late && !field) return;
    const dialog = underDialog();
    // A dialog has the keys before it has the focus.
    if (!late && !field && dialog) {
      setTimeout(flush, focusPause);
      return;
    }
    const isSend = first.key === sendKey;
    // After a key that opened a field, the others are its text.
    if (field && !late && (isSend || (dialog && !writes(focused)))) {
      waiting.current.shift();
      const key = isSend ? 'Enter' : first.text;
      flushSync(() => focused!.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey: isSend, bubbles: true, cancelable: true })));
    } else if (field && !late) {
      const end = waiting.current.findIndex(({ key }) => key === sendKey);
      const text = waiting.current.splice(0, end === -1 ? waiting.current.length : end);
      flushSync(() => document.execCommand('insertText', false, text.map((key) => key.text).join('')));
    } else {
      waiting.current.shift();
      // Rendered at once: the field that it opens takes what follows.
      if (!late) flushSync(() => layer?.bindings[first.key]?.());
    }
    if (writes(document.activeElement)) flush();
    else setTimeout(flush);
  }, []);

  useEffect(() => {
    rendered.current = pathname;
    setTimeout(flush);
  }, [flush, pathname]);

  /** Lets a key wait; one whose screen never comes is dropped, so that what is pressed later is not stuck behind it. */
  const wait = useCallback(
    (key: string, text: string, at: number) => {
      waiting.current.push({ key, text, at });
      setTimeout(flush, patience + focusPause);
    },
    [flush],
  );

  const hold = useCallback(() => {
    holds.current++;
    return (comes = true) => {
      holds.current--;
      // Whoever else holds them knows what they are for.
      if (!comes && holds.current === 0) waiting.current = [];
      setTimeout(flush);
    };
  }, [flush]);

  useEffect(() => {
    /** Sees a key before any field, form or dialog does, and keeps it from them while an earlier one waits. */
    const onAnyKey = (event: KeyboardEvent) => {
      if (waiting.current.length === 0) return;
      const key = keyOf(event);
      // Also where a key that waited has just opened a form, which Escape closes before the others run.
      if (key === 'Escape') waiting.current = [];
      if (!event.isTrusted) return;
      if (takesKeys(event.target)) flush();
      // What waited may have sent the form that the field belongs to.
      if (waiting.current.length === 0 && document.activeElement === event.target) return;
      // A dialog has the keys before it has the focus.
      const isText = event.key.length === 1 && !key.startsWith('mod+') && (takesKeys(event.target) || underDialog());
      if (isText || key === sendKey) {
        event.preventDefault();
        event.stopPropagation();
        wait(isText ? named(event) : key, isText ? event.key : '', event.timeStamp);
        setTimeout(flush);
      }
    };
    const onKeyDown = (event: KeyboardEvent, early = false) => {
      if (event.defaultPrevented) {
        if (event.key.length > 1) typed = null;
        return;
      }
      const key = keyOf(event);
      const withModifier = key.startsWith('mod+');
      // A dialog has the keys before it has the focus.
      if (!withModifier && (takesKeys(event.target) || underDialog())) {
        typed = event.key.length === 1 && writes(event.target) ? { field: event.target as Element, at: event.timeStamp } : null;
        return;
      }
      const gone = typed !== null && !typed.field.isConnected && event.timeStamp - typed.at < leftover;
      // Whoever left the field by a key, such as by sending it, means the next one.
      if (typed === null || !gone) typed = null;
      else if (event.key.length === 1) typed.at = event.timeStamp;
      if (!withModifier && (!enabled || gone)) return;
      // A digit decides, so it does not repeat while it is held down.
      const digit = digitOf(event);
      const pressed = prefix === '' ? named(event) : `${prefix} ${key}`;
      const text = prefix + (event.key.length === 1 ? event.key : '');
      forget();
      const layer = layerOf(layers.current, pressed);
      const waits = early || waiting.current.length > 0 || loads();
      if (layer !== undefined) {
        event.preventDefault();
        if (event.repeat && pressed === digit) return;
        // Keys keep their order: one that is pressed while an earlier one waits does so, too. Whoever opens the palette turns to something else.
        if (layer.ready && withModifier) waiting.current = [];
        if (layer.ready && (!waits || withModifier)) layer.bindings[pressed]!();
        else wait(pressed, text, event.timeStamp);
      } else if (layers.current.some(({ current }) => Object.keys(current.bindings).some((name) => name.startsWith(`${pressed} `)))) {
        event.preventDefault();
        prefix = pressed;
        timer = setTimeout(forget, sequencePause);
      } else if (waits && text !== '' && !withModifier) {
        event.preventDefault();
        wait(pressed, text, event.timeStamp);
      }
    };
    /** A digit is a place on the keyboard, where a screen binds it. */
    const named = (event: KeyboardEvent) => (layerOf(layers.current, digitOf(event)) === undefined ? keyOf(event) : digitOf(event));
    let prefix = '';
    let typed: { field: Element; at: number } | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const forget = () => {
      clearTimeout(timer);
      prefix = '';
    };
    const onPointerDown = () => {
      typed = null;
      waiting.current = [];
    };
    const onKey = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', onAnyKey, true);
    document.addEventListener('keydown', onKey);
    document.addEventListener('pointerdown', onPointerDown);
    for (const event of window.takeEarlyKeys?.() ?? []) onKeyDown(event, true);
    setTimeout(flush);
    return () => {
      forget();
      document.removeEventListener('keydown', onAnyKey, true);
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('pointerdown', onPointerDown);
    };
  }, [enabled, flush, wait]);

  const setEnabled = useCallback((next: boolean) => {
    writeSetting('shortcuts', next ? 'on' : 'off');
    setEnabledState(next);
  }, []);

  const add = useCallback((added: { current: Layer }) => {
    layers.current = [...layers.current, added];
    return () => {
      layers.current = layers.current.filter((layer) => layer !== added);
    };
  }, []);

  const value = useMemo(() => ({ enabled, setEnabled, add, flush, hold }), [enabled, setEnabled, add, flush, hold]);
  return <ShortcutContext value={value}>{children}</ShortcutContext>;
}

/** Binds keys while the component is mounted; names as `keyOf` gives them, e.g. `j`, `?`, `mod+k`. Until it is ready, what is pressed waits. */
export function useShortcuts(bindings: Bindings, ready = true): void {
  const { add, flush } = use(ShortcutContext);
  const latest = useRef<Layer>({ bindings, ready });
  useEffect(() => {
    latest.current = { bindings, ready };
  });
  useEffect(() => {
    return add(latest);
  }, [add]);
  useEffect(() => {
    if (ready) setTimeout(flush);
  }, [flush, ready]);
}

/** Lets keys wait for what loads while this component is mounted. */
export function useKeyHold(wanted: boolean): void {
  const { hold } = use(ShortcutContext);
  useEffect(() => {
    if (!wanted) return;
    const release = hold();
    return () => release();
  }, [hold, wanted]);
}

/** Runs a step to another screen, and reports whether it led there. What is pressed meanwhile is for that screen. */
export function useStep(): (step: () => Promise<boolean>) => Promise<boolean> {
  const { hold } = use(ShortcutContext);
  return useCallback(
    async (step) => {
      const release = hold();
      let comes = false;
      try {
        comes = await step();
      } finally {
        release(comes);
      }
      return comes;
    },
    [hold],
  );
}

export function useShortcutSetting(): Pick<Shortcuts, 'enabled' | 'setEnabled'> {
  const { enabled, setEnabled } = use(ShortcutContext);
  return { enabled, setEnabled };
}

/** Shown while a dialog's code loads: what is pressed meanwhile is for the dialog. */
export function KeyHold() {
  useKeyHold(true);
  return null;
}
