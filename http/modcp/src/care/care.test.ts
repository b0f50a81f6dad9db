import { describe, expect, it } from 'vitest';
import { counted, nextReasons, offers, parseCare } from './care';

const fresh = parseCare(null);

describe('lighter cases', () => {
  it('are offered after enough grave ones of a day, once', () => {
    let care = { ...fresh, after: 3 };
    for (let n = 0; n < 2; n++) care = counted(care, '2026-11-25');
    expect(offers(care, '2026-11-25')).toBe(false);
    care = counted(care, '2026-11-25');
    expect(offers(care, '2026-11-25')).toBe(true);
    expect(offers(care, '2026-11-26')).toBe(false);
    expect(offers({ ...care, lighter: '2026-11-25' }, '2026-11-25')).toBe(false);
    expect(offers({ ...care, lighter: '-2026-11-25' }, '2026-11-25')).toBe(false);
    expect(offers({ ...care, after: 0 }, '2026-11-25')).toBe(false);
  });
  it('count anew every day', () => {
    expect(counted({ ...fresh, day: '2026-11-24', grave: 9 }, '2026-11-25').grave).toBe(1);
  });
  it('come first on the day that they were chosen, and are not all there is', () => {
    expect(nextReasons({ ...fresh, lighter: '2026-11-25' }, '2026-11-25')).toEqual(['spam', 'other', undefined]);
    expect(nextReasons({ ...fresh, lighter: '2026-11-25' }, '2026-11-26')).toEqual([undefined]);
  });
});

describe('what storage holds', () => {
  it.each([null, '', '7', 'null', '[]', '{"after":"x","grey":1}', '{'])('is read whatever it is: %s', (stored) => {
    expect(parseCare(stored)).toEqual(fresh);
  });
  it('is kept', () => {
    expect(parseCare('{"after":5,"grey":false,"other":1}')).toEqual({ ...fresh, after: 5, grey: false });
  });
});
