const hour = 3_600_000;

/** How urgent an open report's age is: a day is late, three days are overdue. */
export function ageLevel(iso: string, now: number): 'fresh' | 'late' | 'overdue' {
  const age = now - Date.parse(iso);
  if (age >= 72 * hour) return 'overdue';
  if (age >= 24 * hour) return 'late';
  return 'fresh';
}
