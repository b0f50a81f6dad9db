import { describe, expect, it } from 'vitest';
import { byLine, faultRange, lineRange } from './textPlaces';

describe('lines', () => {
  it.each([
    [1, 'one'],
    [2, ''],
    [3, 'three'],
    [9, 'three'],
    [0, 'one'],
  ])('%i is “%s”', (line, text) => {
    const whole = 'one\n\nthree';
    expect(whole.slice(...lineRange(whole, line))).toBe(text);
  });

  it('have their faults together', () => {
    const fault = (line: number, message: string) => ({ line, path: 'id', message });
    const lines = byLine([fault(2, 'a'), fault(0, 'b'), fault(2, 'c')]);
    expect(lines.get(2)?.map(({ message }) => message)).toEqual(['a', 'c']);
    expect(lines.get(0)).toHaveLength(1);
  });
});

describe('a fault', () => {
  const text = 'muted &&\n"😀" == titel || (غير';
  it.each([
    [1, 1, 'muted'],
    [1, 7, '&'],
    [2, 1, '"'],
    [2, 2, '😀'],
    [2, 8, 'titel'],
    [2, 4, ' '],
    [2, 18, 'غير'],
    [2, 21, ''],
    [2, undefined, '"😀" == titel || (غير'],
  ])('in line %i at column %s is at “%s”', (line, column, at) => {
    expect(text.slice(...faultRange(text, { line, column }))).toBe(at);
  });
});
