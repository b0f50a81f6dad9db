import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { throttle } from './throttle';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a stream of calls runs at once, then once a period, and after the last', () => {
  const run = vi.fn();
  const throttled = throttle(1000, run);
  throttled.call();
  expect(run).toHaveBeenCalledTimes(1);
  for (let i = 0; i < 25; i++) {
    vi.advanceTimersByTime(100);
    throttled.call();
  }
  expect(run).toHaveBeenCalledTimes(3);
  vi.advanceTimersByTime(5000);
  expect(run).toHaveBeenCalledTimes(4);
});

test('nothing runs after cancel', () => {
  const run = vi.fn();
  const throttled = throttle(1000, run);
  throttled.call();
  throttled.call();
  throttled.cancel();
  vi.advanceTimersByTime(5000);
  expect(run).toHaveBeenCalledTimes(1);
});
