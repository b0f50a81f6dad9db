import { describe, expect, it } from 'vitest';
import { administration } from '../../i18n/en/administration';
import { integrationMessage } from './integrationText';

describe('an integration', () => {
  it.each([
    ['cron', false, 'No cron adapter configured', 'integrations.cron.off', ''],
    ['cron', true, 'In-process adapter', 'integrations.cron.on', ''],
    ['broker', true, 'Events go to nats', 'integrations.broker.on', 'nats'],
    ['webhooks', true, 'Active endpoints: 12', 'integrations.webhooks.on', 12],
    ['identity', true, 'Tokens of https://id.example.test are accepted', 'integrations.identity.on', 'https://id.example.test'],
    ['platform shop', true, 'Not asked since the start of this server', 'integrations.platform.unasked', ''],
    ['platform shop', true, 'Last answer: 2026-11-27T02:53:00Z', 'integrations.platform.answered', '2026-11-27T02:53:00Z'],
  ])('%s, active %s: %s', (name, active, detail, key, value) => {
    expect(integrationMessage({ name, active, detail })).toEqual({ key, value });
    expect(key in administration).toBe(true);
  });

  it('that says something else is left to the server', () => {
    expect(integrationMessage({ name: 'broker', active: true, detail: 'Something else' })).toBeNull();
  });
});
