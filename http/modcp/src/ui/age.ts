const hour = 3_600_000;

/** Grades an open report's age: late after a day, overdue after three. */
export function ageLevel(iso: string, now: number): 'fresh' | 'late' | 'overdue' {
  const age = now - Date.parse(iso);
  if (age >= 72 * hour) return 'overdue';
  if (age >= 24 * hour) return 'late';
  return 'fresh';
}
