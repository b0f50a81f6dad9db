import type { Schemas } from '../../api/types';

/** The types of events that the log holds. */
export const loggedTypes = Object.keys({
  account_removed: true, action: true, action_failed: true, action_requested: true, action_unchanged: true, appeal_decided: true, appealed: true,
  assigned: true, created: true, decision_held: true, escalated: true, evidence_erased: true, held_lapsed: true, held_released: true, measure_confirmed: true, measure_ended: true, measure_failed: true, measure_imposed: true,
  measure_pending: true, note_added: true, note_deleted: true, note_pinned: true, note_updated: true, overdue: true, reopened: true, resolved: true, returned: true, rule_matched: true, second_decided: true, second_settled: true, signalled: true,
} satisfies Record<Schemas['LoggedEventType'], true>);
