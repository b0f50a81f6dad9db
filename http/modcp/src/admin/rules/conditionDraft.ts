/** A condition that is being written, and the days its reports were filed: from `since` on and before `until`, or ''. */
export interface ConditionDraft {
  when: string;
  since: string;
  until: string;
}

export const conditionDraft = 'backtest';
export const emptyCondition: ConditionDraft = { when: '', since: '', until: '' };

/** When a day begins here; null for ''. */
export const atMidnight = (day: string): string | null => (day === '' ? null : new Date(`${day}T00:00`).toISOString());

/** The day here that a time is in; '' for null. */
export function dayOf(time: string | null): string {
  if (time === null) return '';
  const at = new Date(time);
  return [String(at.getFullYear()).padStart(4, '0'), ...[at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0'))].join('-');
}
