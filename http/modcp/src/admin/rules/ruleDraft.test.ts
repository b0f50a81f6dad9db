import { describe, expect, it } from 'vitest';
import type { Rule } from '../../api/rules';
import { blankRule, formOfRule, ruleFaults, thenOf } from './ruleDraft';

const sound = { ...blankRule, key: 'links', title: 'Links', when: 'muted', points: 5 };

describe('a rule that is written', () => {
  it('says what it does, and nothing else', () => {
    expect(thenOf(blankRule)).toEqual({});
    expect(thenOf({ ...blankRule, points: -5, due: ' 1h ', tags: 'b, a', hide: true })).toEqual({ points: -5, due: '1h', tags: ['b', 'a'], hide: true });
  });

  it('is the one that was published', () => {
    const then = { points: 20, due: '1h30m', tags: ['a', 'b'] };
    expect(thenOf(formOfRule({ key: 'links', title: 'Links', when: 'muted', then } as Rule))).toEqual(then);
  });

  it.each([
    [{}, []],
    [{ points: '' }, ['then']],
    [{ points: '', hide: true }, []],
    [{ key: '-a', title: ' ' }, ['key', 'title']],
    [{ points: 101, due: 'soon', tags: 'A' }, ['points', 'due', 'tags']],
    [{ points: 1.5, due: '1h30m', tags: 'a b c d e f' }, ['points', 'tags']],
    [{ points: '-' }, ['points']],
  ] as const)('with %j has the faults %j', (change, faults) => expect([...ruleFaults({ ...sound, ...change })]).toEqual(faults));
});
