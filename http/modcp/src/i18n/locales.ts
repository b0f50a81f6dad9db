import { en } from './en';
import type { Messages } from './messages';

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

/** Returns the first of the browser's languages that the panel has, or null. */
export function preferredLocale(languages: readonly string[]): string | null {
  const wanted = languages.map((language) => language.toLowerCase().split('-')[0]!);
  return wanted.find((id) => locales.some((locale) => locale.id === id)) ?? null;
}

export function localeById(id: string | null): LocaleInfo {
  return locales.find((locale) => locale.id === id) ?? fallbackLocale;
}
