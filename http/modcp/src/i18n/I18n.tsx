import { useDirection } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { createContext, use, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { keys } from '../api/queryKeys';
import { readMessages } from '../api/session';
import { useSetting, writeSetting } from '../storage/settings';
import { formatDate, formatMessage, formatRelative, humanise, type Values } from './format';
import { loadLanguage, needWords, type Language } from './language';
import { localeById, type LocaleInfo } from './locales';
import type { MessageKey } from './messages';

export interface I18n {
  locale: LocaleInfo;
  setLocale: (id: string) => void;
  t: (key: MessageKey, values?: Values) => string;
  /** The panel's words for what the server or a plugin names, if it has any. */
  known: (key: string, values?: Values) => string | undefined;
  /** A plugin's message by its key; an unknown key gives `fallback`, or is made readable. */
  label: (key: string, values?: Values, fallback?: string) => string;
  number: (value: number) => string;
  date: (iso: string) => string;
  relative: (iso: string, now: number, style?: Intl.RelativeTimeFormatStyle) => string;
}

export const messagesQuery = (locale: string) =>
  queryOptions({ queryKey: keys.messages(locale), queryFn: ({ signal }) => readMessages(locale, signal), staleTime: Infinity, retry: false });

const I18nContext = createContext<I18n | null>(null);

export function I18nProvider({ initial, children }: { initial: Language; children: ReactNode }) {
  const [current, setCurrent] = useState(initial);
  const { setDirection } = useDirection();

  // Other tabs choose it, too.
  const chosen = useSetting('locale');
  useEffect(() => {
    if (chosen === null || localeById(chosen) === current.locale) return;
    let passed = false;
    void loadLanguage(chosen).then((language) => {
      if (passed) return;
      document.documentElement.lang = language.locale.id;
      document.documentElement.dir = language.locale.dir;
      setDirection(language.locale.dir);
      setCurrent(language);
    });
    return () => {
      passed = true;
    };
  }, [chosen, current.locale, setDirection]);

  const missing = useRef<Promise<void>>(undefined);
  const plugins = useQuery(messagesQuery(current.locale.id));

  const value = useMemo<I18n>(() => {
    const { locale, messages } = current;
    const pluginMessages = plugins.data ?? {};
    const numbers = new Intl.NumberFormat(locale.id);
    // A screen that says something outside of its own words shows it a moment later.
    const loadRest = async () => {
      await Promise.all([needWords('moderation'), needWords('administration')]);
      setCurrent((language) => ({ ...language }));
    };
    return {
      locale,
      setLocale: (id) => writeSetting('locale', id),
      t: (key, values) => {
        const message = messages[key];
        if (message !== undefined) return formatMessage(message, locale.id, values);
        missing.current ??= loadRest();
        return '';
      },
      known: (key, values) => (key in messages ? formatMessage(messages[key as MessageKey]!, locale.id, values) : undefined),
      label: (key, values, fallback) => {
        const message = pluginMessages[key];
        const text = message === undefined ? (fallback ?? humanise(key.split('.').pop() ?? key)) : formatMessage(message, locale.id, { count: 1, ...values });
        return text.charAt(0).toLocaleUpperCase(locale.id) + text.slice(1);
      },
      number: (number) => numbers.format(number),
      date: (iso) => formatDate(iso, locale.id),
      relative: (iso, now, style) => formatRelative(iso, locale.id, now, style),
    };
  }, [current, plugins.data]);

  return <I18nContext value={value}>{children}</I18nContext>;
}

export function useI18n(): I18n {
  const value = use(I18nContext);
  if (value === null) throw new Error('I18nProvider is missing');
  return value;
}
