import { describe, expect, it } from 'vitest';
import { wordDifference } from './wordDifference';

/** Removed words in brackets, added ones in braces. */
const read = (before: string, after: string) =>
  wordDifference(before, after, 'en')
    .map(({ kind, text }) => (kind === 'removed' ? `[${text}]` : kind === 'added' ? `{${text}}` : text))
    .join('');

describe('the difference of two texts', () => {
  it.each([
    ['one other word', 'Racks behind the house.', 'Racks behind the barn.', 'Racks behind the [house]{barn}.'],
    ['a run of other words is one change', 'Meet me at the old red bridge today.', 'Meet me at a new blue tower today.', 'Meet me at [the old red bridge]{a new blue tower} today.'],
    ['nothing in common', 'Is there parking for bikes?', 'Nothing to see here.', '[Is there parking for bikes?]{Nothing to see here.}'],
    ['words that went', 'Free bikes for all members.', 'Bikes are free. Free bikes for all.', '{Bikes are free. }Free bikes for all[ members].'],
    ['words that came at the end, however many', 'Read this.', `Read this. ${'More of it. '.repeat(20)}`, `Read this.{ ${'More of it. '.repeat(20)}}`],
    ['all went', 'Gone.', '', '[Gone.]'],
    ['all came', '', 'Here.', '{Here.}'],
    ['white space between the same words stays', 'one  two three', 'one  two four', 'one  two [three]{four}'],
  ])('%s', (_name, before, after, expected) => {
    expect(read(before, after)).toBe(expected);
  });

  it('keeps every character of both texts', () => {
    const before = 'Der Platz, hinter dem Haus: dreißig Räder – und 2 Bänke!';
    const after = 'Der Hof, vor dem Haus; vierzig Räder – ohne Bänke?';
    const changes = wordDifference(before, after, 'de');
    const without = (kind: string) => changes.filter((change) => change.kind !== kind).map((change) => change.text).join('');
    expect(without('added')).toBe(before);
    expect(without('removed')).toBe(after);
  });

  it('of very long texts is not looked for', () => {
    const long = 'word '.repeat(8_000);
    expect(wordDifference(long, `${long}!`, 'en').map((change) => change.kind)).toEqual(['removed', 'added']);
  });
});
