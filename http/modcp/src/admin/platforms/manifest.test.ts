import { describe, expect, it } from 'vitest';
import { example, idOf } from './manifest';

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
