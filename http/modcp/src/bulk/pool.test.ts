import { describe, expect, it } from 'vitest';
import { pool } from './pool';

describe('pool', () => {
  it('keeps the order of the items whatever finishes first', async () => {
    const waits = [3, 1, 2];
    const results = await pool(waits, 3, (ticks) => new Promise<number>((resolve) => step(ticks, () => resolve(ticks))));
    expect(results).toEqual(waits);
  });

  it('never runs more at once than allowed', async () => {
    let running = 0;
    let most = 0;
    await pool([1, 2, 3, 4, 5, 6, 7], 2, async () => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
    });
    expect(most).toBe(2);
  });

  it('tells how many are done', async () => {
    const told: number[] = [];
    await pool(['a', 'b', 'c'], 1, () => Promise.resolve(), (done) => told.push(done));
    expect(told).toEqual([1, 2, 3]);
  });

  it('has nothing to do for no items', async () => {
    expect(await pool([], 4, () => Promise.reject(new Error('never called')))).toEqual([]);
  });
});

function step(ticks: number, then: () => void): void {
  if (ticks === 0) then();
  else void Promise.resolve().then(() => step(ticks - 1, then));
}
