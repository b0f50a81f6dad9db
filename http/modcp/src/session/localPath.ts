/** Returns a path of this panel, or null for anything that could lead to another site. */
export function localPath(next: string | null): string | null {
  if (next === null || !/^\/(?![/\\])/.test(next)) return null;
  // Browsers drop tabs and line breaks inside addresses and read "\" as "/".
  if (/[\u0000-\u001f\\]/.test(next)) return null;
  return next;
}
