import { describe, expect, it } from 'vitest';
import { safeImage, safeLink, safeTarget } from './safeUrl';

const hostile = [
  'javascript:alert(1)',
  ' JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'java\tscript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'blob:https://example.org/1',
  'file:///etc/passwd',
  '',
  'no scheme at all',
  null,
  42,
  { href: 'https://example.org' },
];

describe('addresses that people wrote', () => {
  it.each(hostile)('never lead anywhere: %j', (raw) => {
    expect(safeLink(raw)).toBeNull();
    expect(safeTarget(raw)).toBeNull();
    expect(safeImage(raw)).toBeNull();
  });

  it.each(['https://example.org/a?b=c#d', 'http://example.org/', 'mailto:a@example.org', 'tel:+4912345'])('may be followed: %s', (raw) => {
    expect(safeLink(raw)).toBe(raw);
  });

  it('may be a path of this site, never of another', () => {
    expect(safeTarget('/forum/posts/1')).toBe('/forum/posts/1');
    expect(safeTarget('//evil.example/x')).toBeNull();
    expect(safeTarget('/\\evil.example/x')).toBeNull();
    expect(safeTarget('/\t/evil.example')).toBeNull();
  });

  it('show pictures over https alone', () => {
    expect(safeImage('http://example.org/a.png')).toBeNull();
    expect(safeImage('https://example.org/a.png')).toBe('https://example.org/a.png');
  });
});
