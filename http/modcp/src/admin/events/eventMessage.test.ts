import { describe, expect, it } from 'vitest';
import { eventMessage } from './eventMessage';

describe('the message for an event', () => {
  it.each([
    ['resolved', 'event.resolved'],
    ['moderation.report.resolved', 'event.resolved'],
    ['webhook.ping', 'event.ping'],
    ['moderation.report.*', 'event.*'],
    ['forum.topic.moved', null],
  ])('%s is %s', (name, expected) => {
    expect(eventMessage(name)).toBe(expected);
  });
});
