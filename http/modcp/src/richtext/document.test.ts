import { describe, expect, it } from 'vitest';
import { fits, length, noteLimits } from '../ui/limits';
import { asDocument, compactBytes, toApiDocument, words } from './document';

describe('a rich note on its way to the server', () => {
  it('loses what the editor added and keeps what was meant', () => {
    const written = {
      type: 'doc',
      content: [
        { type: 'heading', attrs: { level: 2, id: 'x' }, content: [{ type: 'text', text: 'a' }] },
        {
          type: 'paragraph',
          attrs: { textAlign: null },
          content: [{ type: 'text', text: 'b', marks: [{ type: 'link', attrs: { href: 'https://example.org', target: '_blank', rel: null, class: null } }, { type: 'bold' }] }],
        },
      ],
    };
    expect(toApiDocument(written)).toEqual({
      type: 'doc',
      content: [
        { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'a' }] },
        { type: 'paragraph', content: [{ type: 'text', text: 'b', marks: [{ type: 'link', attrs: { href: 'https://example.org' } }, { type: 'bold' }] }] },
      ],
    });
  });

  it('keeps the words when switched from plain text and back', () => {
    const text = 'first line\nsecond line';
    expect(words(asDocument(text))).toBe(text);
  });

  it('is measured in bytes of UTF-8', () => {
    expect(compactBytes({ type: 'é' })).toBe(new TextEncoder().encode('{"type":"é"}').length);
  });
});

describe('text limits', () => {
  it.each([
    ['code points, not units', '😀😀', 2],
    ['without surrounding white space', '  ab \n', 2],
  ])('count %s', (_name, text, expected) => {
    expect(length(text)).toBe(expected);
  });

  it('hold at both ends', () => {
    expect(fits('ab', noteLimits)).toBe(false);
    expect(fits('abc', noteLimits)).toBe(true);
    expect(fits('😀'.repeat(2000), noteLimits)).toBe(true);
    expect(fits('😀'.repeat(2001), noteLimits)).toBe(false);
  });
});
