import { useDirection } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createContext, use, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import { keys } from '../api/keys';
import { readMessages } from '../api/session';
import { readSetting, writeSetting } from '../ui/settings';
import { en } from './en';
import { formatDate, formatMessage, formatRelative, humanise, type Values } from './format';
import { fallbackLocale, localeById, type LocaleInfo, type MessageKey, type Messages } from './locales';

export interface I18n {
  locale: LocaleInfo;
  setLocale: (id: string) => void;
  t: (key: MessageKey, values?: Values) => string;
  /** A plugin's own message by its translation key; an unknown key is humanised. */
  label: (key: string, values?: Values) => string;
  number: (value: number) => string;
  date: (iso: string) => string;
  relative: (iso: string, now: number, style?: Intl.RelativeTimeFormatStyle) => string;
}

const I18nContext = createContext<I18n | null>(null);

export function I18nProvider({ children }: { children: ReactNode }) {
  const [current, setCurrent] = useState<{ locale: LocaleInfo; messages: Messages }>({ locale: fallbackLocale, messages: en });
  const { setDirection } = useDirection();

  const load = useCallback(
    async (id: string | null) => {
      const locale = localeById(id);
      const messages = await locale.load();
      document.documentElement.lang = locale.id;
      document.documentElement.dir = locale.dir;
      setDirection(locale.dir);
      setCurrent({ locale, messages });
    },
    [setDirection],
  );

  useEffect(() => {
    const wanted = readSetting('locale');
    if (wanted !== null && wanted !== fallbackLocale.id) void load(wanted);
  }, [load]);

  const setLocale = useCallback(
    (id: string) => {
      writeSetting('locale', id);
      void load(id);
    },
    [load],
  );

  const { locale, messages } = current;
  const plugins = useQuery({
    queryKey: keys.messages(locale.id),
    queryFn: ({ signal }) => readMessages(locale.id, signal),
    staleTime: Infinity,
    retry: false,
  });

  const value = useMemo<I18n>(() => {
    const pluginMessages = plugins.data ?? {};
    const numbers = new Intl.NumberFormat(locale.id);
    return {
      locale,
      setLocale,
      t: (key, values) => formatMessage(messages[key], locale.id, values),
      label: (key, values) => {
        const message = pluginMessages[key];
        const text = message === undefined ? humanise(key.split('.').pop() ?? key) : formatMessage(message, locale.id, { count: 1, ...values });
        return text.charAt(0).toLocaleUpperCase(locale.id) + text.slice(1);
      },
      number: (number) => numbers.format(number),
      date: (iso) => formatDate(iso, locale.id),
      relative: (iso, now, style) => formatRelative(iso, locale.id, now, style),
    };
  }, [locale, messages, plugins.data, setLocale]);

  return <I18nContext value={value}>{children}</I18nContext>;
}

export function useI18n(): I18n {
  const value = use(I18nContext);
  if (value === null) throw new Error('I18nProvider is missing');
  return value;
}
