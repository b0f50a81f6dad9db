import type { RichTextMark, RichTextNode } from '../api/types';

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
