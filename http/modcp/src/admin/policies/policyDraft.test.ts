import { describe, expect, it } from 'vitest';
import { asDocument } from '../../richtext/document';
import { blank, faultsOf, keyFor, toPublish } from './policyDraft';

const written = { key: 'no-spam', title: 'No spam', text: asDocument('Advertising is not allowed.'), template: asDocument(''), strikes: 2, strikeDays: 30, reportable: true, secondKey: false, statement: null };

describe('a policy that is written', () => {
  it.each([
    ['No advertising!', 'no-advertising'],
    ['  Être poli  ', 'etre-poli'],
    ['قواعد', ''],
    ['a'.repeat(63) + ' b', 'a'.repeat(63)],
  ])('%j suggests the key %j', (title, key) => {
    expect(keyFor(title)).toBe(key);
  });

  it.each([
    ['complete', written, []],
    ['blank', blank, ['key', 'title', 'text']],
    ['with a key of other characters', { ...written, key: 'No spam' }, ['key']],
    ['with a title that is too long', { ...written, title: 'a'.repeat(201) }, ['title']],
    ['with strikes beyond their limits', { ...written, strikes: 11, strikeDays: 0 }, ['strikes', 'strikeDays']],
    ['without numbers', { ...written, strikes: '' as const, strikeDays: '' as const }, ['strikes', 'strikeDays']],
    ['with a statement that names nothing', { ...written, statement: { ground: 'illegal' as const, category: '' } }, ['law', 'category']],
    ['with a text that is too long', { ...written, text: asDocument('a'.repeat(65_537)) }, ['text']],
  ])('%s', (_name, form, faults) => {
    expect([...faultsOf(form)]).toEqual(faults);
  });

  it('leaves out a template without words', () => {
    expect(toPublish(written)).not.toHaveProperty('template');
    expect(toPublish({ ...written, template: asDocument('You wrote:') })).toHaveProperty('template');
  });
});
