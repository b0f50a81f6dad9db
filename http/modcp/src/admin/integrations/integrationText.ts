import type { Integration } from '../../api/types';

/** The detail in the server's sentence about an active integration: the broker, the number of endpoints, the issuer. */
const named: Record<string, RegExp> = {
  broker: /^Events go to (.+)$/,
  webhooks: /^Active endpoints: (\d+)$/,
  identity: /^Tokens of (.+) are accepted$/,
};

/** Returns the key of the message for an integration's state and its detail, or null for a sentence that is another than expected. */
export function integrationMessage({ name, active, detail }: Integration): { key: string; value: string | number } | null {
  const value = active ? (named[name]?.exec(detail)?.[1] ?? '') : '';
  const key = `integrations.${name}.${active ? 'on' : 'off'}`;
  return !active || named[name] === undefined || value !== '' ? { key, value: /^\d+$/.test(value) ? Number(value) : value } : null;
}
