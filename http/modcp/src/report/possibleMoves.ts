import type { Handover, Move, Report } from '../api/types';

/**
 * Returns the action that undoes this one: the only other action that is available and
 * permitted now. Undefined where there is none, or more than one.
 */
export function counterpart(report: Report, action: string): string | undefined {
  const others = report.actions.filter((other) => other.name !== action && other.available && other.permitted);
  return others.length === 1 ? others[0]!.name : undefined;
}

export const offers = (report: Report, move: Move | Handover) => (report.moves as (Move | Handover)[]).includes(move) || report.handovers.includes(move as Handover);

/** The label for resolving; a report that is done gets "Change decision". */
export const resolveKey = (report: Report) => (report.status === 'done' ? 'report.changeDecision' : 'move.resolve');

export const runnable = (report: Report) => report.actions.filter((action) => action.available && action.permitted);

export const mayAct = (report: Report) => report.moves.length > 0 || report.handovers.length > 0 || report.ownDecision || report.actions.some((action) => action.permitted);
