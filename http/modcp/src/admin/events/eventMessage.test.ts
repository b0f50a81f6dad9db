import { describe, expect, it } from 'vitest';
import { eventMessage } from './eventMessage';
import { loggedTypes } from './loggedTypes';

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

  it.each(loggedTypes)('%s of the log is in words', (type) => {
    expect(eventMessage(type)).not.toBeNull();
  });
});
