import { useEffect, useRef, useState } from 'react';
import { addNote, type NoteBody } from '../../api/reports';
import { useI18n } from '../../i18n/I18n';
import { useToasts } from '../../ui/Toasts';
import { useDraft } from '../../storage/drafts';
import { NoteEditor, type NoteDraft } from './NoteEditor';
import classes from './NoteEditor.module.css';
import type { ReportCommands } from '../work/useReportCommands';

const empty: NoteDraft = { kind: 'text', text: '' };

interface Props {
  reportId: string;
  commands: ReportCommands;
  refresh: () => Promise<void>;
  canWrite: boolean;
  /** Becomes true when the shortcut asks for the note's field. */
  asked: boolean;
  taken: () => void;
}

export function NoteComposer({ reportId, commands, refresh, canWrite, asked, taken }: Props) {
  const { t } = useI18n();
  const toasts = useToasts();
  const [draft, setDraft] = useDraft<NoteDraft>(`${reportId}:note`);
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const place = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!asked) return;
    // At once: the next key is the note's first letter.
    field.current?.focus();
    taken();
  }, [asked, taken]);

  if (!canWrite) return null;

  /** The draft stays, and letters are shortcuts again. */
  const leave = () => place.current?.focus({ preventScroll: true });

  const send = async (body: NoteBody) => {
    setBusy(true);
    // What is typed next is no part of the note that is on its way.
    leave();
    try {
      const { report } = await addNote(reportId, body);
      setDraft(null);
      commands.accept(report);
      await refresh();
      toasts.show({ text: t('note.added') });
    } catch (error) {
      // Who writes on would otherwise run shortcuts with it.
      if (document.activeElement === place.current) field.current?.focus();
      await commands.refused(error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <div ref={place} className={classes.place} role="group" aria-label={t('note.body')} tabIndex={-1}>
      <NoteEditor draft={draft ?? empty} onChange={setDraft} busy={busy} submit={t('note.add')} send={(body) => void send(body)} field={field} leave={leave} />
    </div>
  );
}
