const day = 86_400_000;

/** Times that a case may be parked until: tomorrow means its morning, and a month is the longest that the API takes. */
export function parkTimes(now: Date): { name: 'hour' | 'tomorrow' | 'week' | 'month'; at: Date }[] {
  const tomorrow = new Date(now.getTime() + day);
  tomorrow.setHours(9, 0, 0, 0);
  const after = (time: number) => new Date(now.getTime() + time);
  // A minute less than the limit, since the request takes a moment and clocks differ.
  return [{ name: 'hour', at: after(day / 24) }, { name: 'tomorrow', at: tomorrow }, { name: 'week', at: after(7 * day) }, { name: 'month', at: after(30 * day - 60_000) }];
}

/** A time as a field of the kind `datetime-local` takes it. */
export const inLocalTime = (time: Date): string => new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
