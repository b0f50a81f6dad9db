import { describe, expect, it } from 'vitest';
import { atMidnight, dayOf } from './conditionDraft';

describe('a range of days', () => {
  it.each(['2026-01-31', '2024-02-29', '0999-12-01', ''])('keeps %j', (day) => expect(dayOf(atMidnight(day))).toBe(day));

  it('begins at midnight here', () => expect(new Date(atMidnight('2026-07-01')!).getHours()).toBe(0));
});
