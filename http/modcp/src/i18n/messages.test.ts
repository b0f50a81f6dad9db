import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import IntlMessageFormat from 'intl-messageformat';
import { describe, expect, it } from 'vitest';
import { ar } from './ar';
import { en } from './en';
import { formatDate, formatDuration, formatLanguage, formatMessage, formatRelative, humanise } from './format';
import type { MessageKey } from './messages';

const keys = Object.keys(en) as MessageKey[];

/** Names of the arguments that a message uses, at any depth. */
function argumentsOf(message: string, locale: string): string[] {
  const names = new Set<string>();
  const visit = (elements: readonly unknown[]) => {
    for (const element of elements as { type: number; value?: unknown; options?: Record<string, { value: unknown[] }> }[]) {
      // 0 is a literal and 7 the number sign of a plural; all others are arguments.
      if (element.type !== 0 && element.type !== 7) names.add(String(element.value));
      for (const option of Object.values(element.options ?? {})) visit(option.value);
    }
  };
  visit(new IntlMessageFormat(message, locale, undefined, { ignoreTag: true }).getAst());
  return [...names].sort();
}

describe('messages', () => {
  it('are complete in Arabic, and no more than that', () => {
    expect(Object.keys(ar).sort()).toEqual([...keys].sort());
  });

  it('stand in one file each', () => {
    const folder = join(import.meta.dirname, 'en');
    const written = readdirSync(folder).flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(/^ {2}'([^']+)':/gm)].map(([, key]) => key));
    expect(written.toSorted()).toEqual([...keys].sort());
  });

  it.each(keys)('%s takes the same arguments in both languages', (key) => {
    expect(argumentsOf(ar[key], 'ar')).toEqual(argumentsOf(en[key], 'en'));
  });

  it('have all six plural forms in Arabic', () => {
    const forms = [0, 1, 2, 3, 11, 100].map((count) => formatMessage(ar['board.notes'], 'ar', { count }));
    expect(new Set(forms).size).toBe(6);
  });

  it('that do not parse are shown as they are', () => {
    expect(formatMessage('{broken', 'en')).toBe('{broken');
  });

  it('keep the order of an Arabic sentence round foreign names', () => {
    expect(formatMessage('{name}: {count}', 'ar', { name: 'Is it?', count: 2 })).toBe('\u2068Is it?\u2069: 2');
    expect(formatMessage('{name}', 'en', { name: 'Is it?' })).toBe('Is it?');
  });

  it('never take markup for markup', () => {
    expect(formatMessage('Hello <b>{name}</b>', 'en', { name: '<i>x</i>' })).toBe('Hello <b><i>x</i></b>');
  });
});

describe('times and names', () => {
  const now = Date.parse('2026-01-02T12:00:00Z');

  it.each([
    ['2026-01-02T11:59:30Z', 'now'],
    ['2026-01-02T11:15:00Z', '45 minutes ago'],
    ['2026-01-01T12:00:00Z', 'yesterday'],
    ['2026-01-02T13:30:00Z', 'in 1 hour'],
    ['not a time', ''],
  ])('%s reads %j', (iso, expected) => {
    expect(formatRelative(iso, 'en', now)).toBe(expected);
  });

  it('durations take their largest unit', () => {
    expect(formatDuration(5_400, 'en')).toBe('1.5 hours');
    expect(formatDuration(0, 'en')).toBe('< 1 second');
  });

  it.each([
    ['en', /Jan 2, 2026, .*:00/],
    ['ar', /2 يناير 2026، .*:00/],
  ])('a date in %s names its month', (locale, expected) => {
    expect(formatDate('2026-01-02T12:00:00Z', locale)).toMatch(expected);
  });

  it.each([
    ['de', 'en', 'German'],
    ['en', 'ar', 'الإنجليزية'],
    ['es', 'es', 'Español'],
    ['not a tag', 'en', 'not a tag'],
    ['', 'en', ''],
  ])('%j in %s is %j', (tag, locale, expected) => {
    expect(formatLanguage(tag, locale)).toBe(expected);
  });

  it.each([
    ['snapshotField', 'Snapshot field'],
    ['can_view_reports', 'View reports'],
    ['', ''],
  ])('%j becomes %j', (name, expected) => {
    expect(humanise(name)).toBe(expected);
  });
});
