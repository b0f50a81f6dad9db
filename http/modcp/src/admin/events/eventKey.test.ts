import { describe, expect, it } from 'vitest';
import { en } from '../../i18n/en';
import { eventKey } from './eventKey';
import { loggedTypes } from './loggedTypes';

describe('the message for an event', () => {
  it.each([
    ['resolved', 'event.resolved'],
    ['moderation.report.resolved', 'event.resolved'],
    ['webhook.ping', 'event.ping'],
    ['moderation.report.*', 'event.*'],
    ['forum.topic.moved', 'event.forum.topic.moved'],
  ])('%s is %s', (name, expected) => {
    expect(eventKey(name)).toBe(expected);
  });

  it.each(loggedTypes)('%s of the log is in words', (type) => {
    expect(eventKey(type) in en).toBe(true);
  });
});
