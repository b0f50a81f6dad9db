import type { Snapshot, SnapshotField, SnapshotFile } from '../../api/types';
import { isRichText, words } from '../../richtext/document';

export interface FieldChange {
  name: string;
  before: string;
  after: string;
}

/** What a value holds, as text: words, with the targets of links and the pictures where both texts are rich; files, a line each. Null for what cannot be compared. */
function comparable(kind: SnapshotField['kind'], value: unknown, targets: boolean): string | null {
  if (kind === 'file') return [value].flat().filter((one): one is SnapshotFile => typeof one === 'object' && one !== null).map(fileLine).join('\n');
  if (typeof value === 'string') return value.trim();
  return isRichText(value) ? words(value, targets) : null;
}

const fileLine = ({ name, mimeType, size, id, url }: SnapshotFile) => `▣ ${name} (${mimeType}, ${size}) ⟨${id ?? url}⟩`;

/** Texts and files of a snapshot that differ in the content's public form now. */
export function contentChanges(snapshot: Snapshot, content: Record<string, unknown>): FieldChange[] {
  const inner = content.fields;
  const present = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? (inner as Record<string, unknown>) : content;
  return snapshot.fields.flatMap((field) => {
    if (field.kind === 'value' || !(field.name in present)) return [];
    const targets = isRichText(field.value) && isRichText(present[field.name]);
    const before = comparable(field.kind, field.value, targets);
    const after = comparable(field.kind, present[field.name], targets);
    if (before === null || after === null || squeezed(before) === squeezed(after)) return [];
    // A snapshot that was cut says nothing about the text after its end.
    if (snapshot.truncated && squeezed(after).startsWith(squeezed(before))) return [];
    return [{ name: field.name, before, after }];
  });
}

const squeezed = (text: string) => text.replace(/\s+/gu, ' ').trim();
