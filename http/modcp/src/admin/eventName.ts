import type { MessageKey } from '../i18n/locales';
import { en } from '../i18n/en';

/** The message for an event, by its type in the log or by its public name; null for what only a plugin knows. */
export function eventMessage(name: string): MessageKey | null {
  const key = `event.${name.replace(/^(moderation\.report|webhook)\./, '')}`;
  return key in en ? (key as MessageKey) : null;
}
