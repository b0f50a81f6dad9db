import type { Integration } from '../api/types';
import type { MessageKey } from '../i18n/locales';
import { en } from '../i18n/en';

/** What the server's sentence about an active integration names: the broker, how many endpoints, the issuer of tokens. */
const named: Record<string, RegExp> = {
  broker: /^Events go to (.+)$/,
  webhooks: /^Active endpoints: (\d+)$/,
  identity: /^Tokens of (.+) are accepted$/,
};

/** The message for an integration's state and what it names; null where the server's own words are all there is. */
export function integrationMessage({ name, active, detail }: Integration): { key: MessageKey; value: string | number } | null {
  const value = active ? (named[name]?.exec(detail)?.[1] ?? '') : '';
  const key = `integrations.${name}.${active ? 'on' : 'off'}`;
  return key in en && (!active || named[name] === undefined || value !== '') ? { key: key as MessageKey, value: /^\d+$/.test(value) ? Number(value) : value } : null;
}
