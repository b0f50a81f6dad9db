import { first } from './en/first';
import type { Messages } from './messages';

/** The words of a language come in parts, so that no screen waits for those of another. */
export type Part = 'first' | 'moderation' | 'administration';

export interface LocaleInfo {
  id: string;
  /** The language's own name for itself. */
  name: string;
  dir: 'ltr' | 'rtl';
  load: Record<Part, () => Promise<Partial<Messages>>>;
}

export const locales: readonly LocaleInfo[] = [
  {
    id: 'en',
    name: 'English',
    dir: 'ltr',
    load: {
      first: () => Promise.resolve(first),
      moderation: () => import('./en/moderation').then((m) => m.moderation),
      administration: () => import('./en/administration').then((m) => m.administration),
    },
  },
  {
    id: 'ar',
    name: 'العربية',
    dir: 'rtl',
    load: {
      first: () => import('./ar/first').then((m) => m.first),
      moderation: () => import('./ar/moderation').then((m) => m.moderation),
      administration: () => import('./ar/administration').then((m) => m.administration),
    },
  },
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
