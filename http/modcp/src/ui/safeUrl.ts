const linkSchemes = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/**
 * Returns the address of a link in content that people wrote, or null when it is not
 * safe to follow. Absolute addresses of four schemes are, parsed by the browser, so
 * that what is checked is what would be opened.
 */
export function safeLink(raw: unknown): string | null {
  if (typeof raw !== 'string') return null;
  try {
    const url = new URL(raw.trim());
    return linkSchemes.has(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

/** The address of a picture: https, or a path of this site. */
export function safeImage(raw: unknown): string | null {
  const href = safeTarget(raw);
  return href !== null && (href.startsWith('https:') || href.startsWith('/')) ? href : null;
}

/** A content's own address: http, https, or a path of this site. */
export function safeTarget(raw: unknown): string | null {
  if (typeof raw !== 'string' || raw === '') return null;
  if (/^\/(?![/\\])/.test(raw) && !/[\u0000-\u001f\\]/.test(raw)) return raw;
  const link = safeLink(raw);
  return link !== null && /^https?:/.test(link) ? link : null;
}
