import type { MessageKey } from '../i18n/messages';
import type { Bindings } from './ShortcutProvider';

export interface Shortcut {
  /** As `keyOf` names it. */
  key: string;
  /** The last of several digits that belong together, the first of which is the key's. */
  to?: string;
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
    peek: { key: ' ', text: 'key.peek' },
    search: { key: '/', text: 'key.search' },
  },
  report: {
    claim: { key: 'c', text: 'key.claim' },
    assign: { key: 'a', text: 'key.assign' },
    escalate: { key: 'e', text: 'key.escalate' },
    note: { key: 'n', text: 'key.note' },
    resolve: { key: 'r', text: 'key.resolve' },
    hide: { key: 'h', text: 'key.hide' },
    restore: { key: 'shift+h', text: 'key.restore' },
  },
  walk: {
    next: { key: 'j', text: 'key.nextInList' },
    previous: { key: 'k', text: 'key.previousInList' },
    list: { key: 'b', text: 'key.toList' },
  },
  verdict: {
    noViolation: { key: '1', text: 'key.noViolation' },
    rule: { key: '2', to: '9', text: 'key.rule' },
    fillIn: { key: 'shift+1', to: '9', text: 'key.fillIn' },
  },
  evidence: {
    translate: { key: 'l', text: 'key.translate' },
  },
  aside: {
    skip: { key: 's', text: 'key.skip' },
    park: { key: 'p', text: 'key.park' },
  },
  split: {
    toggle: { key: 'v', text: 'key.split' },
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
  measures: {
    next: { key: 'j', text: 'key.nextMeasure' },
    previous: { key: 'k', text: 'key.previousMeasure' },
    open: { key: 'Enter', text: 'key.openAuthor', native: true },
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

/** Bindings for `useShortcuts`: each shortcut of a group with what it runs, given the digit for those that are digits. */
export function bind<G extends ShortcutGroup>(group: G, runs: Record<Bound<Groups[G]>, (digit: number) => void>): Bindings {
  const list: Record<string, Shortcut> = shortcuts[group];
  return Object.fromEntries(Object.entries<(digit: number) => void>(runs).flatMap(([name, run]) => digits(list[name]!).map(([key, digit]) => [key, () => run(digit)])));
}

/** The keys of a shortcut, each with its digit. */
function digits({ key, to }: Shortcut): [key: string, digit: number][] {
  const first = Number(key.at(-1));
  return Array.from({ length: to === undefined ? 1 : Number(to) - first + 1 }, (_, index) => [index === 0 ? key : `${key.slice(0, -1)}${first + index}`, first + index]);
}

/** A key as people read it, with the last one of several. */
export const keyLabel = (key: string, to?: string): string =>
  (key === ' ' ? 'Space' : key).replace(/^(mod|shift)\+(.+)$/, (_, modifier: string, name: string) => `${modifier === 'mod' ? 'Ctrl' : 'Shift'} ${name.length === 1 ? name.toUpperCase() : name}`) + (to === undefined ? '' : `–${to}`);
