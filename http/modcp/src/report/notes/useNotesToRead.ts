import { useEffect, useState } from 'react';
import type { Note, Pin, Report } from '../../api/types';
import { useUser } from '../../session/useSession';
import { readSetting, writeSetting } from '../../storage/settings';
import type { History } from '../timeline/useHistory';

export interface NoteToRead {
  note: Note;
  pinned: Pin | null;
}

export interface NotesToReadState {
  /** Colleagues' notes that were not read in this browser yet, and those that are pinned; newest first. */
  notes: NoteToRead[];
  /** True after a decision was asked to wait for them. */
  asked: boolean;
  /** False while they are being read from the server, in which nothing should be decided. */
  known: boolean;
  /** Reports whether a decision, or an action on the content, should wait until they are read. It does so once. */
  asks: (step: 'decision' | 'action') => boolean;
  /** Marks all that are shown as read; those that are pinned stay. */
  read: () => void;
}

/** How many notes a browser remembers as read. */
const remembered = 1_000;

const markOf = (note: Note) => `${note.id}${note.editedAt ?? ''}`;

const stored = (): string[] => {
  try {
    return JSON.parse(readSetting('notesRead') ?? '[]') as string[];
  } catch {
    return [];
  }
};

/** The notes that have to be read before a report is decided. */
export function useNotesToRead(id: string, { entries, known }: History, report: Report | undefined): NotesToReadState {
  const self = useUser();
  const [done, setDone] = useState(() => new Set(stored()));
  const [asked, setAsked] = useState(false);
  useEffect(() => {
    setAsked(false);
  }, [id]);

  const pins = new Map((report?.pinned ?? []).map((pin) => [pin.noteId, pin]));
  const notes = entries.flatMap(({ entry: { data } }): NoteToRead[] => {
    const note = data.note;
    if (note === undefined || note.deletedAt !== null || note.body === null) return [];
    const pinned = pins.get(note.id) ?? null;
    const unread = note.author?.id !== self?.id && !done.has(markOf(note));
    return unread || pinned !== null ? [{ note, pinned }] : [];
  });
  const read = () => {
    const all = [...new Set([...stored(), ...notes.map(({ note }) => markOf(note))])].slice(-remembered);
    writeSetting('notesRead', JSON.stringify(all));
    setDone(new Set(all));
  };
  return {
    notes,
    asked: asked && notes.length > 0,
    known,
    read,
    asks: (step) => {
      const waits = !asked && notes.some(({ pinned }) => step === 'decision' || pinned !== null);
      setAsked(waits);
      if (asked) read();
      return waits;
    },
  };
}
