import { ActionIcon, Button, TextInput } from '@mantine/core';
import { EditorContent, useEditor, useEditorState, type Editor } from '@tiptap/react';
import StarterKit from '@tiptap/starter-kit';
import { useState } from 'react';
import type { RichTextNode } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { Icon } from '../ui/Icon';
import type { MessageKey } from '../i18n/messages';
import { safeLink } from '../ui/safeUrl';
import classes from './RichEditor.module.css';

const tools: readonly (readonly [name: string, key: MessageKey, glyph: string, run: (editor: Editor) => void])[] = [
  ['heading', 'editor.heading', 'H', (editor) => editor.chain().focus().toggleHeading({ level: 2 }).run()],
  ['bold', 'editor.bold', 'B', (editor) => editor.chain().focus().toggleBold().run()],
  ['italic', 'editor.italic', 'I', (editor) => editor.chain().focus().toggleItalic().run()],
  ['strike', 'editor.strike', 'S', (editor) => editor.chain().focus().toggleStrike().run()],
  ['code', 'editor.code', '<>', (editor) => editor.chain().focus().toggleCode().run()],
  ['bulletList', 'editor.bulletList', '•', (editor) => editor.chain().focus().toggleBulletList().run()],
  ['orderedList', 'editor.orderedList', '№', (editor) => editor.chain().focus().toggleOrderedList().run()],
  ['blockquote', 'editor.blockquote', '❝', (editor) => editor.chain().focus().toggleBlockquote().run()],
];

/** Tiptap, limited to nodes that the API accepts; loaded only when rich text is written. */
export function RichEditor({ doc, onChange, label, autoFocus = false }: { doc: RichTextNode; onChange: (doc: RichTextNode) => void; label: string; autoFocus?: boolean }) {
  const { t } = useI18n();
  const [linking, setLinking] = useState<string | null>(null);
  const editor = useEditor({
    extensions: [StarterKit.configure({ link: { openOnClick: false, isAllowedUri: (url) => safeLink(url) !== null } })],
    content: doc,
    autofocus: autoFocus ? 'end' : false,
    injectCSS: false,
    editorProps: { attributes: { 'aria-label': label, role: 'textbox', 'aria-multiline': 'true', dir: 'auto', class: classes.area! } },
    onUpdate: ({ editor: current }) => onChange(current.getJSON() as RichTextNode),
  });
  const active = useEditorState({
    editor,
    selector: ({ editor: current }) => tools.map(([name]) => current?.isActive(name) ?? false).concat(current?.isActive('link') ?? false),
  });
  if (editor === null) return null;

  const setLink = () => {
    const href = safeLink(linking);
    if (href === null) editor.chain().focus().unsetLink().run();
    else editor.chain().focus().extendMarkRange('link').setLink({ href }).run();
    setLinking(null);
  };

  return (
    <div className={classes.frame}>
      <div className={classes.tools} role="toolbar" aria-label={`${t('editor.toolbar')}: ${label}`}>
        {tools.map(([name, key, glyph, run], index) => (
          <ActionIcon key={name} size="md" className={classes.tool} data-tool={name} aria-label={t(key)} title={t(key)} aria-pressed={active?.[index] ?? false} onClick={() => run(editor)}>
            {glyph}
          </ActionIcon>
        ))}
        <ActionIcon
          size="md"
          className={classes.tool}
          aria-label={t('editor.link')}
          title={t('editor.link')}
          aria-pressed={active?.[tools.length] ?? false}
          onClick={() => setLinking(String(editor.getAttributes('link').href ?? 'https://'))}
        >
          <Icon name="link" size={16} />
        </ActionIcon>
      </div>
      {linking !== null && (
        <div className={classes.link}>
          <TextInput
            size="xs"
            aria-label={t('editor.link')}
            autoFocus
            value={linking}
            onChange={(event) => setLinking(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') {
                event.preventDefault();
                event.stopPropagation();
                setLink();
              }
              if (event.key === 'Escape') {
                event.stopPropagation();
                setLinking(null);
              }
            }}
          />
          <Button size="xs" variant="default" onClick={setLink}>
            {t('editor.setLink')}
          </Button>
        </div>
      )}
      <EditorContent editor={editor} />
    </div>
  );
}
