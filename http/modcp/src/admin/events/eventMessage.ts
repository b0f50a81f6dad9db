import type { MessageKey } from '../../i18n/messages';
import { en } from '../../i18n/en';

/** Returns the message key for an event's type or public name, or null for one of a plugin. */
export function eventMessage(name: string): MessageKey | null {
  const key = `event.${name.replace(/^(moderation\.report|webhook)\./, '')}`;
  return key in en ? (key as MessageKey) : null;
}
