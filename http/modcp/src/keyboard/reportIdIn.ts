const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/** Finds the report id in a pasted link or text: the last one, since a link may hold others before it. */
export function reportIdIn(text: string): string | null {
  const matches = text.match(new RegExp(uuid, 'gi'));
  return matches === null ? null : matches[matches.length - 1]!.toLowerCase();
}
