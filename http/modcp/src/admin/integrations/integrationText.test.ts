import { describe, expect, it } from 'vitest';
import { integrationMessage } from './integrationText';

describe('an integration', () => {
  it.each([
    ['cron', false, 'No cron adapter configured', 'integrations.cron.off', ''],
    ['cron', true, 'In-process adapter', 'integrations.cron.on', ''],
    ['broker', true, 'Events go to nats', 'integrations.broker.on', 'nats'],
    ['webhooks', true, 'Active endpoints: 12', 'integrations.webhooks.on', 12],
    ['identity', true, 'Tokens of https://id.example.test are accepted', 'integrations.identity.on', 'https://id.example.test'],
  ])('%s, active %s: %s', (name, active, detail, key, value) => {
    expect(integrationMessage({ name, active, detail })).toEqual({ key, value });
  });

  it.each([
    ['broker', true, 'Something else'],
    ['carrier-pigeons', false, 'None configured'],
  ])('%s that says %s %s is left to the server', (name, active, detail) => {
    expect(integrationMessage({ name, active, detail })).toBeNull();
  });
});
