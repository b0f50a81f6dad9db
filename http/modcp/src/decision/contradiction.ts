import type { Report, Resolution } from '../api/types';

/** What the content is after a decision that says otherwise: public though action was taken, hidden though there is no violation. */
export type Contradiction = 'public' | 'hidden';

/** Finds what a decision, with an action on the content or none, contradicts. Actions of other names are for their plugin to judge. */
export function contradiction({ target, actions, timeline, hiddenBy }: Pick<Report, 'target' | 'actions' | 'timeline' | 'hiddenBy'>, resolution: Resolution | null, action: string | null): Contradiction | null {
  const known = actions.map(({ name }) => name);
  if (target.current === null || !known.includes('hide')) return null;
  const last = [...actions.filter((one) => one.pending === true).map(({ name }) => name), action].findLast((name) => name === 'hide' || name === 'unhide');
  const hidden = last === undefined ? target.current.hidden : last === 'hide';
  // The last decision of no violation shows again what a rule hid.
  if (resolution === 'no_violation') return hidden && (last !== undefined || hiddenBy === null) ? 'hidden' : null;
  const other = (name: string | undefined | null) => name != null && name !== 'hide' && name !== 'unhide';
  const acted = other(action) || timeline.edges.some((entry) => entry.type === 'action' && other(entry.data.action));
  return resolution === 'action_taken' && !hidden && !acted ? 'public' : null;
}

/** Reports whether an outcome offers an action: none that would contradict it. */
export const suits = (resolution: Resolution | null, action: string) =>
  !(resolution === 'action_taken' && action === 'unhide') && !(resolution === 'no_violation' && action === 'hide');
