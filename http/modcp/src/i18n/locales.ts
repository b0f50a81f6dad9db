import { en } from './en';

export type MessageKey = keyof typeof en;
export type Messages = Record<MessageKey, string>;

export interface LocaleInfo {
  id: string;
  /** The language's own name for itself. */
  name: string;
  dir: 'ltr' | 'rtl';
  load: () => Promise<Messages>;
}

export const locales: readonly LocaleInfo[] = [
  { id: 'en', name: 'English', dir: 'ltr', load: () => Promise.resolve(en) },
  { id: 'ar', name: 'العربية', dir: 'rtl', load: () => import('./ar').then((module) => module.ar) },
];

export const fallbackLocale = locales[0]!;

export function localeById(id: string | null): LocaleInfo {
  return locales.find((locale) => locale.id === id) ?? fallbackLocale;
}
