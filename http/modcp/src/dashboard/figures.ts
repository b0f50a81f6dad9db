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
