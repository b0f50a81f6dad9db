import type { Snapshot } from '../../api/types';
import { isRichText, words } from '../../richtext/RichText';

export interface FieldChange {
  name: string;
  before: string;
  after: string;
}

/** The text of a field's value; null for a value without text. */
function comparable(value: unknown): string | null {
  if (typeof value === 'string') return value.trim();
  if (isRichText(value)) return words(value);
  return null;
}

/** Text fields of a snapshot that read differently in the content's public form now. */
export function contentChanges(snapshot: Snapshot, content: Record<string, unknown>): FieldChange[] {
  const inner = content.fields;
  const present = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? (inner as Record<string, unknown>) : content;
  return snapshot.fields.flatMap((field) => {
    if (field.kind !== 'text' && field.kind !== 'richText') return [];
    if (!(field.name in present)) return [];
    const before = comparable(field.value);
    const after = comparable(present[field.name]);
    if (before === null || after === null || squeezed(before) === squeezed(after)) return [];
    // A snapshot that was cut says nothing about the text after its end.
    if (snapshot.truncated && squeezed(after).startsWith(squeezed(before))) return [];
    return [{ name: field.name, before, after }];
  });
}

const squeezed = (text: string) => text.replace(/\s+/gu, ' ').trim();
