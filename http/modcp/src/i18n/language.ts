import { readSetting } from '../storage/settings';
import { localeById, preferredLocale, type LocaleInfo, type Part } from './locales';
import type { Messages } from './messages';

/** A language with those of its messages that are loaded. */
export interface Language {
  locale: LocaleInfo;
  messages: Partial<Messages>;
}

const wanted = new Set<Part>(['first']);
let inUse: Promise<Language>;

/** Loads a language with all words that screens have needed so far. */
export function loadLanguage(id: string | null): Promise<Language> {
  const locale = localeById(id);
  inUse = Promise.all([...wanted].map((part) => locale.load[part]())).then((parts) => ({ locale, messages: Object.assign({}, ...parts) as Partial<Messages> }));
  return inUse;
}

/** The language chosen in this browser, else the browser's own; English if its messages cannot be loaded. */
export const storedLanguage = () => loadLanguage(readSetting('locale') ?? preferredLocale(navigator.languages)).catch(() => loadLanguage(null));

/** Loads the words of a screen in the language in use, and with every language that is chosen later. */
export async function needWords(part: Part): Promise<void> {
  wanted.add(part);
  const { locale, messages } = await inUse;
  Object.assign(messages, await locale.load[part]());
}
