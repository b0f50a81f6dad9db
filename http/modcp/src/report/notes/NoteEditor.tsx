import { Button, Textarea } from '@mantine/core';
import { lazy, Suspense, type Ref } from 'react';
import type { NoteBody } from '../../api/reports';
import type { RichTextNode } from '../../api/types';
import { useI18n } from '../../i18n/I18n';
import { Segments } from '../../ui/Segments';
import { Loading } from '../../ui/States';
import { fits, length, noteLimits, richNoteBytes } from '../../ui/limits';
import classes from './NoteEditor.module.css';
import { asDocument, compactBytes, toApiDocument, words } from '../../richtext/document';

const RichEditor = lazy(() => import('../../richtext/RichEditor').then((m) => ({ default: m.RichEditor })));

export type NoteDraft = { kind: 'text'; text: string } | { kind: 'richText'; doc: RichTextNode };

/** Whether anything is written in it. */
export const hasWords = (draft: NoteDraft) => (draft.kind === 'text' ? draft.text : words(draft.doc)).trim() !== '';

interface Props {
  draft: NoteDraft;
  onChange: (draft: NoteDraft) => void;
  busy: boolean;
  submit: string;
  send: (body: NoteBody) => void;
  cancel?: () => void;
  /** What Escape does. */
  leave?: () => void;
  /** The field of a plain note. */
  field?: Ref<HTMLTextAreaElement>;
}

/** Writes a note, plain or rich; switching keeps the text. */
export function NoteEditor({ draft, onChange, busy, submit, send, cancel, leave, field }: Props) {
  const { t, number } = useI18n();

  const clean = draft.kind === 'richText' ? toApiDocument(draft.doc) : null;
  const valid = draft.kind === 'text' ? fits(draft.text, noteLimits) : clean !== null && words(clean) !== '' && compactBytes(clean) <= richNoteBytes;
  const give = () => {
    if (valid && !busy) send(draft.kind === 'text' ? draft.text.trim() : clean!);
  };

  const change = (kind: string) => {
    if (kind === draft.kind) return;
    onChange(draft.kind === 'text' ? { kind: 'richText', doc: asDocument(draft.text) } : { kind: 'text', text: words(draft.doc) });
  };

  return (
    <div
      className={classes.editor}
      role="presentation"
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          give();
        } else if (event.key === 'Escape' && !event.defaultPrevented && event.currentTarget.contains(event.target as Element)) leave?.();
      }}
    >
      {draft.kind === 'text' ? (
        <Textarea
          ref={field}
          aria-label={t('note.body')}
          placeholder={t('note.placeholder')}
          minRows={2}
          maxRows={12}
          value={draft.text}
          error={length(draft.text) > noteLimits.max ? t('report.tooLong', { limit: noteLimits.max }) : undefined}
          onChange={(event) => onChange({ kind: 'text', text: event.currentTarget.value })}
        />
      ) : (
        <Suspense fallback={<Loading rows={2} />}>
          <RichEditor autoFocus label={t('note.body')} doc={draft.doc} onChange={(doc) => onChange({ kind: 'richText', doc })} />
        </Suspense>
      )}
      {(hasWords(draft) || cancel !== undefined || draft.kind === 'richText') && (
        <div className={classes.foot}>
          <Segments
            size="xs"
            aria-label={t('note.kind')}
            value={draft.kind}
            onChange={change}
            data={[
              { value: 'text', label: t('note.plain') },
              { value: 'richText', label: t('note.rich') },
            ]}
          />
          <span className={classes.count}>{draft.kind === 'text' && length(draft.text) > noteLimits.max - 200 ? `${number(length(draft.text))} / ${number(noteLimits.max)}` : ''}</span>
          {cancel !== undefined && (
            <Button size="compact-md" variant="default" onClick={cancel}>
              {t('action.cancel')}
            </Button>
          )}
          <Button size="compact-md" disabled={!valid} loading={busy} onClick={give}>
            {submit}
          </Button>
        </div>
      )}
    </div>
  );
}
