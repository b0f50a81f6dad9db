import type { RichTextMark, RichTextNode } from '../api/types';
import { safeLink } from '../ui/safeUrl';

/** Attributes that the API accepts; the editor adds others of its own. */
const kept: Record<string, readonly string[]> = {
  heading: ['level'],
  orderedList: ['start'],
  taskItem: ['checked'],
  codeBlock: ['language'],
  link: ['href'],
};

function attrsOf(type: string, attrs: Record<string, unknown> | undefined): { attrs?: Record<string, unknown> } {
  const entries = (kept[type] ?? []).flatMap((name) => (attrs?.[name] === undefined || attrs[name] === null ? [] : [[name, attrs[name]] as const]));
  return entries.length === 0 ? {} : { attrs: Object.fromEntries(entries) };
}

function mark(original: RichTextMark): RichTextMark {
  return { type: original.type, ...attrsOf(original.type, original.attrs) };
}

/** The document as the API takes it, without the editor's own attributes. */
export function toApiDocument(node: RichTextNode): RichTextNode {
  return {
    type: node.type,
    ...attrsOf(node.type, node.attrs),
    ...(node.text === undefined ? {} : { text: node.text }),
    ...(node.marks === undefined || node.marks.length === 0 ? {} : { marks: node.marks.map(mark) }),
    ...(node.content === undefined ? {} : { content: node.content.map(toApiDocument) }),
  };
}

/** Plain text as a document, a paragraph for each line. */
export function asDocument(text: string): RichTextNode {
  return {
    type: 'doc',
    content: text.split('\n').map((line) => ({ type: 'paragraph', ...(line === '' ? {} : { content: [{ type: 'text', text: line }] }) })),
  };
}

export function compactBytes(doc: RichTextNode): number {
  return new TextEncoder().encode(JSON.stringify(doc)).length;
}

export function isRichText(value: unknown): value is RichTextNode {
  return typeof value === 'object' && value !== null && (value as RichTextNode).type === 'doc';
}

export function asNode(value: unknown): RichTextNode {
  return typeof value === 'object' && value !== null ? (value as RichTextNode) : { type: '' };
}

/** Where a text leads, null where it is no link that is safe to follow. */
export function linkOf(node: RichTextNode | undefined): string | null {
  if (node?.type !== 'text' || !Array.isArray(node.marks)) return null;
  return safeLink(node.marks.find((mark) => mark?.type === 'link')?.attrs?.href);
}

const blocks = new Set(['paragraph', 'heading', 'blockquote', 'listItem', 'taskItem', 'codeBlock', 'tableRow', 'horizontalRule', 'hardBreak']);

/**
 * The text of a document, one line per block; with `targets`, also where its links lead and what its pictures are.
 * Iterative, so that deep nesting cannot overflow the stack.
 */
export function words(doc: unknown, targets = false): string {
  let text = '';
  let linked: string | null = null;
  const waiting: unknown[] = [doc];
  while (waiting.length > 0) {
    const node = waiting.pop();
    const href = targets ? linkOf(asNode(node)) : null;
    if (linked !== null && linked !== href) text += ` ⟨${linked}⟩`;
    linked = href;
    if (typeof node === 'string') {
      if (!text.endsWith('\n') && text !== '') text += node;
      continue;
    }
    const current = asNode(node);
    if (typeof current.text === 'string') text += current.text;
    if (targets && current.type === 'image') text += `▣ ${String(current.attrs?.alt ?? '')} ⟨${String(current.attrs?.src ?? '')}⟩`;
    if (blocks.has(current.type)) waiting.push('\n');
    if (Array.isArray(current.content)) waiting.push(...current.content.toReversed());
  }
  if (linked !== null) text += ` ⟨${linked}⟩`;
  return text.trim();
}
