import type { Integration } from '../../api/types';

/** The detail in the server's sentence about an active integration: the broker, the number of endpoints, the issuer. */
const named: Record<string, RegExp> = {
  broker: /^Events go to (.+)$/,
  webhooks: /^Active endpoints: (\d+)$/,
  identity: /^Tokens of (.+) are accepted$/,
};

/** The id of the platform, or of its provider of signals, that a card is about. */
export const platformOf = ({ name }: Integration): string | null => /^platform (.+)$/.exec(name)?.[1] ?? null;

/** Returns the key of the message for an integration's state and its detail, or null for a sentence that is another than expected. */
export function integrationMessage({ name, active, detail }: Integration): { key: string; value: string | number } | null {
  if (name.startsWith('platform ')) {
    const answered = /^Last answer: (\S+)$/.exec(detail)?.[1];
    if (answered !== undefined) return { key: 'integrations.platform.answered', value: answered };
    return detail === 'Not asked since the start of this server' ? { key: 'integrations.platform.unasked', value: '' } : null;
  }
  const value = active ? (named[name]?.exec(detail)?.[1] ?? '') : '';
  const key = `integrations.${name}.${active ? 'on' : 'off'}`;
  return !active || named[name] === undefined || value !== '' ? { key, value: /^\d+$/.test(value) ? Number(value) : value } : null;
}
