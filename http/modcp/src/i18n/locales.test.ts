import { describe, expect, it } from 'vitest';
import { preferredLocale } from './locales';

describe('a browser’s languages', () => {
  it.each([
    [['ar-EG', 'en'], 'ar'],
    [['de-DE', 'en-GB', 'ar'], 'en'],
    [['de'], null],
    [[], null],
  ])('%j ask for %j', (languages, expected) => {
    expect(preferredLocale(languages)).toBe(expected);
  });
});
