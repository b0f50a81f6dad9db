import { resolutions, type ReportItem, type Resolution } from '../api/types';

const dayLength = 86_400_000;

export interface Day {
  /** Midnight UTC in milliseconds. */
  start: number;
  end: number;
}

/** The last days up to and with today, oldest first; days are of UTC, as the server's are. */
export function lastDays(count: number, now: number): Day[] {
  const today = Math.floor(now / dayLength) * dayLength;
  return Array.from({ length: count }, (_, index) => {
    const start = today - (count - 1 - index) * dayLength;
    return { start, end: start + dayLength };
  });
}

/** The middle of the values, null for none. */
export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Seconds from filing to decision of each decided report. */
export function decisionTimes(done: readonly Pick<ReportItem, 'createdAt' | 'resolvedAt'>[]): number[] {
  return done.flatMap(({ createdAt, resolvedAt }) => {
    if (resolvedAt === null) return [];
    const seconds = (Date.parse(resolvedAt) - Date.parse(createdAt)) / 1000;
    return Number.isFinite(seconds) && seconds >= 0 ? [seconds] : [];
  });
}

export function outcomes(done: readonly Pick<ReportItem, 'resolution'>[]): { resolution: Resolution; count: number }[] {
  return resolutions.map((resolution) => ({ resolution, count: done.filter((row) => row.resolution === resolution).length }));
}

export function decidedOn(done: readonly Pick<ReportItem, 'resolvedAt'>[], day: Day): number {
  return done.filter(({ resolvedAt }) => {
    const moment = resolvedAt === null ? NaN : Date.parse(resolvedAt);
    return moment >= day.start && moment < day.end;
  }).length;
}
