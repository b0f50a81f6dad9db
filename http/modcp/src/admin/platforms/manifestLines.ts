import type { ManifestFault } from '../../api/platforms';

/** The faults of each line, from 1; 0 has those of the whole. */
export function byLine(faults: readonly ManifestFault[]): Map<number, ManifestFault[]> {
  const lines = new Map<number, ManifestFault[]>();
  for (const fault of faults) lines.set(fault.line, [...(lines.get(fault.line) ?? []), fault]);
  return lines;
}

/** Where a line begins and ends in a text; the last line for one beyond. */
export function lineRange(text: string, line: number): [from: number, to: number] {
  const lines = text.split('\n');
  const index = Math.min(Math.max(line, 1), lines.length) - 1;
  const from = lines.slice(0, index).reduce((length, one) => length + one.length + 1, 0);
  return [from, from + lines[index]!.length];
}

/** The id that a manifest gives its platform, or '' while it has none. */
export const idOf = (manifest: string): string => /^id:\s*["']?([a-z][a-z0-9_-]{0,63})["']?\s*(?:#.*)?$/m.exec(manifest)?.[1] ?? '';

/** What a new manifest starts from. */
export const example = `id: shop
remote: {url: "https://shop.example/docket", timeout: 3s}
remoteTypes:
  - id: shop.review
    label: shop.review
    permissionModule: reviews
    key: {kind: bigint}
    fields: {title: {kind: text}, body: {kind: richText}}
    reports: true
    actions: [{name: hide, undo: unhide, permission: can_hide}]
messages:
  en: {shop.review: "{count, plural, one {review} other {reviews}}"}
`;
