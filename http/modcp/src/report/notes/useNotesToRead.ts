import { useEffect, useMemo, useState } from 'react';
import type { Note, Pin, Report } from '../../api/types';
import { useUser } from '../../session/useSession';
import { readSetting, useSetting, writeSetting } from '../../storage/settings';
import type { History, HistoryEntry } from '../timeline/useHistory';

export interface NoteToRead {
  /** Null where it is pinned and further back in its report's history than what was read. */
  note: Note | null;
  pinned: Pin | null;
}

export interface NotesToReadState extends Pick<History, 'known' | 'error' | 'retry'> {
  /** Colleagues' notes that this account has not read in this browser yet, and those that are pinned; newest first. */
  notes: NoteToRead[];
  /** True after a decision was asked to wait for them. */
  asked: boolean;
  /** Reports whether a decision, or an action on the content, should wait until they are read: once for those on show, and while they are not known. */
  asks: (step: 'decision' | 'action') => boolean;
  /** Marks all that are shown as read; those that are pinned stay. */
  read: () => void;
}

/** How many notes a browser remembers as read. */
const remembered = 1_000;

const markOf = ({ note, pinned }: NoteToRead) => (note === null ? pinned!.noteId : `${note.id}${note.editedAt ?? ''}`);

/** What storage holds, whatever somebody wrote there. */
function parseMarks(stored: string | null): string[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(value) ? value.filter((mark) => typeof mark === 'string') : [];
  } catch {
    return [];
  }
}

const none: ReadonlySet<string> = new Set();

/** The notes of colleagues that are not done, and all that are pinned, those last that are in no entry. */
export function notesToRead(entries: readonly HistoryEntry[], pinned: readonly Pin[], self: string | undefined, done: ReadonlySet<string>): NoteToRead[] {
  const pins = new Map(pinned.map((pin) => [pin.noteId, pin]));
  const all = entries.flatMap(({ entry: { data } }): NoteToRead[] => {
    const note = data.note;
    if (note === undefined) return [];
    const one = { note, pinned: pins.get(note.id) ?? null };
    pins.delete(note.id);
    if (note.deletedAt !== null || note.body === null) return [];
    return one.pinned !== null || (note.author?.id !== self && !done.has(markOf(one))) ? [one] : [];
  });
  return [...all, ...[...pins.values()].map((pin) => ({ note: null, pinned: pin }))];
}

/** The notes that have to be read before a report is decided. */
export function useNotesToRead(id: string, { entries, known, error, retry }: History, report: Report | undefined): NotesToReadState {
  const self = useUser();
  const setting = `notesRead.${self?.id ?? ''}` as const;
  const stored = useSetting(setting);
  const done = useMemo(() => new Set(parseMarks(stored)), [stored]);
  /** The notes that were on show when a decision was asked to wait. */
  const [asked, setAsked] = useState(none);
  useEffect(() => {
    setAsked(none);
  }, [id]);

  const notes = notesToRead(entries, report?.pinned ?? [], self?.id, done).filter(({ note }) => note !== null || known);
  const marks = notes.map(markOf);
  const read = (which: readonly string[]) => writeSetting(setting, JSON.stringify([...new Set([...parseMarks(readSetting(setting)), ...which])].slice(-remembered)));
  return {
    notes,
    asked: marks.some((mark) => asked.has(mark)),
    known,
    error,
    retry,
    read: () => read(marks),
    asks: (step) => {
      if (!known) return true;
      const waits = notes.some((one) => !asked.has(markOf(one)) && (step === 'decision' || one.pinned !== null));
      if (!waits && asked.size > 0) read(marks.filter((mark) => asked.has(mark)));
      setAsked(waits ? new Set(marks) : none);
      return waits;
    },
  };
}
