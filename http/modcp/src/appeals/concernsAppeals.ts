/** Changes of a report that open or close an appeal. */
export const concernsAppeals: ReadonlySet<string> = new Set(['appealed', 'appeal_decided', 'resolved', 'reopened', 'assigned']);
