import type { Integration } from '../../api/types';
import type { MessageKey } from '../../i18n/messages';
import { en } from '../../i18n/en';

/** The detail in the server's sentence about an active integration: the broker, the number of endpoints, the issuer. */
const named: Record<string, RegExp> = {
  broker: /^Events go to (.+)$/,
  webhooks: /^Active endpoints: (\d+)$/,
  identity: /^Tokens of (.+) are accepted$/,
};

/** Returns the message for an integration's state and its detail, or null for a sentence that has no translation. */
export function integrationMessage({ name, active, detail }: Integration): { key: MessageKey; value: string | number } | null {
  const value = active ? (named[name]?.exec(detail)?.[1] ?? '') : '';
  const key = `integrations.${name}.${active ? 'on' : 'off'}`;
  return key in en && (!active || named[name] === undefined || value !== '') ? { key: key as MessageKey, value: /^\d+$/.test(value) ? Number(value) : value } : null;
}
