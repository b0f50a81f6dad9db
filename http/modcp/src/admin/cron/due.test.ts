import { describe, expect, it } from 'vitest';
import { isDue } from './due';

describe('a job', () => {
  const now = Date.parse('2026-01-02T12:00:00Z');

  it.each([
    ['2026-01-02T11:58:00Z', true],
    ['2026-01-02T12:00:00Z', true],
    ['2026-01-02T12:00:01Z', false],
  ])('whose next run is at %s is due: %s', (nextRun, due) => {
    expect(isDue(nextRun, now)).toBe(due);
  });
});
