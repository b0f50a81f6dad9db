import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { deleteNote, editNote } from '../../api/reports';
import type { Note } from '../../api/types';
import { useI18n } from '../../i18n/I18n';
import { isRichText } from '../../richtext/document';
import { RichText } from '../../richtext/RichText';
import classes from '../timeline/Activity.module.css';
import { Dialog } from '../../ui/Dialog';
import { NoteEditor, type NoteDraft } from './NoteEditor';
import { PinButton } from './PinButton';
import { useNoteRights } from './useNoteRights';
import type { ReportCommands } from '../work/useReportCommands';

export function NoteView({ note, reportId, commands, refresh }: { note: Note; reportId: string; commands: ReportCommands; refresh: () => Promise<void> }) {
  const { t, relative } = useI18n();
  const [editing, setEditing] = useState<NoteDraft | null>(null);
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const rights = useNoteRights(note);

  if (note.deletedAt !== null) return <p className={classes.gone}>{t('note.deleted')}</p>;
  if (note.body === null) return <p className={classes.gone}>{t('state.erased')}</p>;

  const send = async (what: () => Promise<unknown>, then: () => void) => {
    setBusy(true);
    try {
      await what();
      await refresh();
      then();
    } catch (error) {
      await commands.refused(error);
    } finally {
      setBusy(false);
    }
  };

  if (editing !== null) {
    return (
      <div className={classes.note}>
        <NoteEditor
          draft={editing}
          onChange={setEditing}
          busy={busy}
          submit={t('action.save')}
          cancel={() => setEditing(null)}
          send={(body) => void send(() => editNote(reportId, note.id, body), () => setEditing(null))}
        />
      </div>
    );
  }

  return (
    <>
      <div className={classes.note}>
        {isRichText(note.body) ? (
          <RichText doc={note.body} />
        ) : (
          <p className={classes.words} dir="auto">
            {String(note.body)}
          </p>
        )}
        {note.editedAt !== null && <p className={classes.line}>{t('note.edited', { when: relative(note.editedAt, Date.now()) })}</p>}
      </div>
      {(rights.edit || rights.remove || rights.pin) && (
        <div className={classes.tools}>
          {rights.edit && (
            <Button size="compact-xs" variant="subtle" onClick={() => setEditing(isRichText(note.body) ? { kind: 'richText', doc: note.body } : { kind: 'text', text: String(note.body) })}>
              {t('action.edit')}
            </Button>
          )}
          {rights.pin && <PinButton reportId={reportId} noteId={note.id} send={(what) => void send(what, () => undefined)} />}
          {rights.remove && (
            <Button size="compact-xs" variant="subtle" onClick={() => setAsking(true)}>
              {t('action.delete')}
            </Button>
          )}
        </div>
      )}
      <Dialog opened={asking} close={() => setAsking(false)} title={t('note.deleteTitle')} size="sm">
        <p>{t('note.deleteHint')}</p>
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={() => setAsking(false)}>
            {t('action.cancel')}
          </Button>
          <Button color="red" loading={busy} onClick={() => void send(() => deleteNote(reportId, note.id), () => setAsking(false))}>
            {t('action.delete')}
          </Button>
        </Group>
      </Dialog>
    </>
  );
}
