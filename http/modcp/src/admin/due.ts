/** Whether a job's next run is no longer ahead: it then waits for the scheduler's next call. */
export const isDue = (nextRun: string, now: number): boolean => Date.parse(nextRun) <= now;
