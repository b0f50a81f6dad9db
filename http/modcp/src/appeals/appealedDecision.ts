import type { Appeal } from '../api/appeals';
import type { Person, ReportDecision, Resolution } from '../api/types';

export interface AppealedDecision extends ReportDecision {
  by: Person | null;
  resolution: Resolution | null;
  explanation: string;
}

/**
 * Returns the decision that an appeal is against: the report's while the appeal is open,
 * afterwards the last one in the timeline before the appeal. Null where neither is known.
 */
export function appealedDecision({ id, status, report }: Pick<Appeal, 'id' | 'status' | 'report'>): AppealedDecision | null {
  if (status === 'open') {
    if (report.decision == null) return null;
    return { ...report.decision, appealableUntil: null, by: report.resolver, resolution: report.resolution, explanation: report.explanation ?? '' };
  }
  const entries = report.timeline.edges.toSorted((a, b) => a.sequence - b.sequence);
  const appealed = entries.find((entry) => entry.type === 'appealed' && entry.data.appealId === id);
  const resolved = entries.findLast((entry) => entry.type === 'resolved' && entry.sequence < (appealed?.sequence ?? 0));
  if (resolved === undefined) return null;
  const { policy = null, reasons = null, resolution = null, explanation, erased } = resolved.data;
  return { policy, reasons, erased, decidedAt: resolved.occurredAt, appealableUntil: null, actions: [], by: resolved.actor, resolution, explanation: explanation ?? '' };
}
