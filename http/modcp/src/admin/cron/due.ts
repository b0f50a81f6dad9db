/** Reports whether a job's next run has come, so that it waits for the scheduler's next call. */
export const isDue = (nextRun: string, now: number): boolean => Date.parse(nextRun) <= now;
