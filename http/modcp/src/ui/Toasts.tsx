import { Button, CloseButton } from '@mantine/core';
import { createContext, use, useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { useI18n } from '../i18n/I18n';
import { useAnnounce } from './Announcer';
import { Icon, type IconName } from './Icon';
import classes from './Toasts.module.css';

export interface Toast {
  text: string;
  /** `wait` marks something that has not been sent yet. */
  tone?: 'ok' | 'error' | 'wait';
  /** Offered as a button and to the `u` key while the toast is shown. */
  undo?: () => void;
  /** Milliseconds that the toast stays, where not the default of its tone. */
  lasts?: number;
}

interface Shown extends Toast {
  id: number;
}

interface Toasts {
  /** Shows a toast and returns a function that closes it early. */
  show: (toast: Toast) => () => void;
  /** Runs the newest undo on offer; returns false when there is none. */
  undoLast: () => boolean;
}

const ToastContext = createContext<Toasts>({ show: () => () => {}, undoLast: () => false });

const icons: Record<NonNullable<Toast['tone']>, IconName> = { ok: 'check', error: 'warning', wait: 'clock' };
const plainFor = 5_000;
const undoFor = 9_000;

export function ToastProvider({ children }: { children: ReactNode }) {
  const { t } = useI18n();
  const announce = useAnnounce();
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
      // A waiting toast stays until it is sent, however many others come.
      update((list) => [...list.filter((other, index) => other.tone === 'wait' || index >= list.length - 2), { ...toast, id }]);
      announce(toast.text, toast.tone === 'error');
      timers.current.set(id, setTimeout(() => close(id), toast.lasts ?? (toast.undo === undefined ? plainFor : undoFor)));
      return () => close(id);
    },
    [announce, close, update],
  );

  const undoLast = useCallback(() => {
    const candidate = current.current.findLast((toast) => toast.undo !== undefined);
    if (candidate === undefined) return false;
    close(candidate.id);
    candidate.undo?.();
    return true;
  }, [close]);

  useEffect(() => {
    const running = timers.current;
    return () => {
      for (const timer of running.values()) clearTimeout(timer);
    };
  }, []);

  return (
    <ToastContext value={{ show, undoLast }}>
      {children}
      {shown.length > 0 && (
        <section className={classes.stack} aria-label={t('app.messages')}>
          {shown.map((toast) => (
            <div key={toast.id} className={classes.toast} data-tone={toast.tone ?? 'ok'}>
              <Icon name={icons[toast.tone ?? 'ok']} size={17} />
              <span className={classes.text}>{toast.text}</span>
              {toast.undo !== undefined && (
                <Button
                  size="compact-sm"
                  variant="default"
                  onClick={() => {
                    close(toast.id);
                    toast.undo?.();
                  }}
                >
                  {t('action.undo')}
                </Button>
              )}
              <CloseButton size="sm" aria-label={t('action.close')} onClick={() => close(toast.id)} />
            </div>
          ))}
        </section>
      )}
    </ToastContext>
  );
}

export function useToasts(): Toasts {
  return use(ToastContext);
}
