import { describe, expect, it } from 'vitest';
import { byLine, example, idOf, lineRange } from './manifestLines';

describe('a manifest', () => {
  it.each([
    ['id: shop\nremote: {}', 'shop'],
    ['remote: {}\nid: "shop-2" # ours', 'shop-2'],
    ['remoteTypes:\n  - id: shop.review', ''],
    ['id: Shop', ''],
    ['', ''],
  ])('%j is of “%s”', (manifest, id) => expect(idOf(manifest)).toBe(id));

  it('starts from an example with an id', () => expect(idOf(example)).toBe('shop'));
});

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
