import { describe, expect, it } from 'vitest';
import { completionsOf } from './completions';

const complete = completionsOf([
  { name: 'text', type: 'string' },
  { name: 'links', type: 'list(string)' },
  { name: 'reporters', type: 'int' },
  { name: 'reporter.upheld', type: 'int' },
  { name: 'reporter.rejected', type: 'int' },
]);

describe('completion', () => {
  it.each([
    ['rep', ['reporters', 'reporter.upheld', 'reporter.rejected']],
    ['reporter.u', ['reporter.upheld']],
    ['reporter.', ['reporter.upheld', 'reporter.rejected']],
    ['reporters == 1 && tex', ['text']],
    ['text.s', ['size()', 'startsWith("")']],
    ['links.ex', ['exists(x, )', 'exists_one(x, )']],
    ['links.exists(x, x.st', ['startsWith("")']],
    ['links[0].co', ['contains("")']],
    ['reporters.s', []],
    ['t', ['text', 'true']],
    ['text', []],
    ['text == "rep', []],
    ['text == "\\"rep', []],
    ['// rep', []],
    ['// rep\nrep', ['reporters', 'reporter.upheld', 'reporter.rejected']],
    ['', []],
    ['1', []],
  ])('of %j', (before, want) => expect(complete(before).map((one) => one.text)).toEqual(want));

  it('replaces the word, and after a fact its part', () => {
    expect(complete('a && rep')[0]!.from).toBe(5);
    expect(complete('a && text.s')[0]!.from).toBe(10);
  });
});
