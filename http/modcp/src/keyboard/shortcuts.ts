import type { MessageKey } from '../i18n/messages';
import type { Bindings } from './ShortcutProvider';

interface Shortcut {
  /** As `keyOf` names it. */
  key: string;
  text: MessageKey;
  /** The browser does it by itself: the help shows it, and no screen binds it. */
  native?: true;
}

/** Every shortcut by the screen that it belongs to. Screens bind them from this list, and the help shows it. */
export const shortcuts = {
  board: {
    next: { key: 'j', text: 'key.next' },
    previous: { key: 'k', text: 'key.previous' },
    open: { key: 'Enter', text: 'key.open', native: true },
    select: { key: 'x', text: 'key.select' },
    claim: { key: 'c', text: 'key.claim' },
    assign: { key: 'a', text: 'key.assign' },
    resolve: { key: 'r', text: 'move.resolve' },
    search: { key: '/', text: 'key.search' },
  },
  cases: {
    next: { key: 'j', text: 'key.nextCaseRow' },
    previous: { key: 'k', text: 'key.previousCaseRow' },
    open: { key: 'Enter', text: 'key.openCase', native: true },
    search: { key: '/', text: 'key.search' },
  },
  case: {
    hide: { key: 'h', text: 'key.hide' },
    restore: { key: 'shift+h', text: 'key.restore' },
    resolve: { key: 'r', text: 'move.resolve' },
    note: { key: 'n', text: 'key.note' },
    board: { key: 'b', text: 'key.toCases' },
  },
  report: {
    claim: { key: 'c', text: 'key.claim' },
    assign: { key: 'a', text: 'key.assign' },
    note: { key: 'n', text: 'key.note' },
    resolve: { key: 'r', text: 'key.resolve' },
    hide: { key: 'h', text: 'key.hide' },
    restore: { key: 'shift+h', text: 'key.restore' },
    next: { key: 'j', text: 'key.next' },
    previous: { key: 'k', text: 'key.previous' },
    board: { key: 'b', text: 'key.board' },
  },
  appeals: {
    next: { key: 'j', text: 'key.nextAppeal' },
    previous: { key: 'k', text: 'key.previousAppeal' },
    open: { key: 'Enter', text: 'key.openAppeal', native: true },
  },
  appeal: {
    uphold: { key: 'p', text: 'appeal.uphold' },
    overturn: { key: 'o', text: 'appeal.overturn' },
    queue: { key: 'b', text: 'key.toAppeals' },
  },
  everywhere: {
    nextCase: { key: 'g n', text: 'key.nextCase' },
    undo: { key: 'u', text: 'key.undo' },
    palette: { key: 'mod+k', text: 'key.palette' },
    send: { key: 'mod+Enter', text: 'key.send', native: true },
    help: { key: '?', text: 'key.help' },
  },
} as const satisfies Record<string, Record<string, Shortcut>>;

type Groups = typeof shortcuts;
export type ShortcutGroup = keyof Groups;

type Bound<G> = { [Name in keyof G]: G[Name] extends { native: true } ? never : Name }[keyof G];

/** Bindings for `useShortcuts`: each shortcut of a group with what it runs. */
export function bind<G extends ShortcutGroup>(group: G, runs: Record<Bound<Groups[G]>, () => void>): Bindings {
  const list: Record<string, Shortcut> = shortcuts[group];
  return Object.fromEntries(Object.entries<() => void>(runs).map(([name, run]) => [list[name]!.key, run]));
}

/** A key as people read it. */
export const keyLabel = (key: string): string => key.replace('mod+k', 'Ctrl K').replace('mod+Enter', 'Ctrl Enter').replace('shift+h', 'Shift H');
