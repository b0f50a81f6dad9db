import { describe, expect, it } from 'vitest';
import type { Note, Pin } from '../../api/types';
import type { HistoryEntry } from '../timeline/useHistory';
import { notesToRead } from './useNotesToRead';

const noted = (id: string, author: string, change: Partial<Note> = {}) => ({ entry: { data: { note: { id, author: { id: author }, body: id, editedAt: null, deletedAt: null, ...change } } } }) as HistoryEntry;
const pin = (noteId: string): Pin => ({ noteId, reportId: 'far', until: '2026-12-01T00:00:00Z', by: null });
const asked = (...[entries, pins, done = []]: [HistoryEntry[], Pin[], string[]?]) => notesToRead(entries, pins, 'me', new Set(done)).map(({ note, pinned }) => note?.id ?? `pin ${pinned!.noteId}`);

describe('notes that have to be read before a decision', () => {
  it.each<[string, HistoryEntry[], Pin[], string[], string[]]>([
    ['a colleague’s', [noted('a', 'her')], [], [], ['a']],
    ['one’s own', [noted('a', 'me')], [], [], []],
    ['one’s own that is pinned', [noted('a', 'me')], [pin('a')], [], ['a']],
    ['one that was read', [noted('a', 'her')], [], ['a'], []],
    ['one that was edited since', [noted('a', 'her', { editedAt: '2026' })], [], ['a'], ['a']],
    ['a deleted one', [noted('a', 'her', { deletedAt: '2026' })], [pin('a')], [], []],
    ['one that is pinned further back than what was read', [noted('a', 'her')], [pin('z')], [], ['a', 'pin z']],
  ])('%s', (_name, entries, pins, done, expected) => expect(asked(entries, pins, done)).toEqual(expected));
});
