import { Button, CloseButton } from '@mantine/core';
import { createContext, use, useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { useI18n } from '../i18n/I18n';
import { useAnnounce } from './Announcer';
import { Icon, type IconName } from './Icon';
import classes from './Toasts.module.css';

export interface Toast {
  text: string;
  tone?: 'ok' | 'error';
  /** Offered as a button and to the `u` key while the toast is shown. */
  undo?: () => void;
  /** Leads to what the toast is about. */
  way?: { text: string; go: () => void };
}

interface Shown extends Toast {
  id: number;
  /** In milliseconds. */
  at: number;
}

interface Toasts {
  /** Shows a toast and returns a function that closes it early. */
  show: (toast: Toast) => () => void;
  /** Runs the newest undo on offer, if it is newer than a moment in milliseconds; returns false when there is none. */
  undoLast: (after?: number) => boolean;
}

const ToastContext = createContext<Toasts>({ show: () => () => {}, undoLast: () => false });

const icons: Record<NonNullable<Toast['tone']>, IconName> = { ok: 'check', error: 'warning' };
/** Where something that stays is shown, above the toasts. */
const SlotContext = createContext<HTMLElement | null>(null);
const plainFor = 5_000;
const undoFor = 9_000;

export function ToastProvider({ children }: { children: ReactNode }) {
  const { t } = useI18n();
  const announce = useAnnounce();
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const slotRef = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<Shown[]>([]);
  const current = useRef<Shown[]>([]);
  const next = useRef(1);
  const timers = useRef(new Map<number, ReturnType<typeof setTimeout>>());

  const update = useCallback((change: (list: Shown[]) => Shown[]) => {
    current.current = change(current.current);
    setShown(current.current);
  }, []);

  const close = useCallback(
    (id: number) => {
      clearTimeout(timers.current.get(id));
      timers.current.delete(id);
      update((list) => list.filter((toast) => toast.id !== id));
    },
    [update],
  );

  const show = useCallback(
    (toast: Toast) => {
      const id = next.current++;
      update((list) => [...list.slice(-2), { ...toast, id, at: Date.now() }]);
      announce(toast.text, toast.tone === 'error');
      timers.current.set(id, setTimeout(() => close(id), toast.undo === undefined && toast.way === undefined ? plainFor : undoFor));
      return () => close(id);
    },
    [announce, close, update],
  );

  const undoLast = useCallback((after = 0) => {
    const candidate = current.current.findLast((toast) => toast.undo !== undefined);
    if (candidate === undefined || candidate.at < after) return false;
    close(candidate.id);
    candidate.undo?.();
    return true;
  }, [close]);

  // Set once it is painted: as the slot is attached it would be rendered again before.
  useEffect(() => {
    setSlot(slotRef.current);
  }, []);

  useEffect(() => {
    const running = timers.current;
    return () => {
      for (const timer of running.values()) clearTimeout(timer);
    };
  }, []);

  const offers = ({ way, undo }: Toast) => [...(way === undefined ? [] : [way]), ...(undo === undefined ? [] : [{ text: t('action.undo'), go: undo }])];
  return (
    <ToastContext value={{ show, undoLast }}>
      <SlotContext value={slot}>{children}</SlotContext>
      <div className={classes.stack}>
        <div ref={slotRef} className={classes.slot} />
        {shown.length > 0 && (
          <section className={classes.toasts} aria-label={t('app.messages')}>
            {shown.map((toast) => (
              <div key={toast.id} className={classes.toast} data-tone={toast.tone ?? 'ok'}>
                <Icon name={icons[toast.tone ?? 'ok']} size={17} />
                <span className={classes.text}>{toast.text}</span>
                {offers(toast).map(({ text, go }) => (
                  <Button
                    key={text}
                    size="compact-sm"
                    variant="default"
                    onClick={() => {
                      close(toast.id);
                      go();
                    }}
                  >
                    {text}
                  </Button>
                ))}
                <CloseButton size="sm" aria-label={t('action.close')} onClick={() => close(toast.id)} />
              </div>
            ))}
          </section>
        )}
      </div>
    </ToastContext>
  );
}

export function useToasts(): Toasts {
  return use(ToastContext);
}

export function useToastSlot(): HTMLElement | null {
  return use(SlotContext);
}
