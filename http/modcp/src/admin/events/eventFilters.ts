/** What the event log shows; it lives in the URL whole. */
export interface EventFilters {
  order: 'asc' | 'desc';
  /** Only events behind this position; 0 for all. */
  after: number;
}

/** Reads the filters from a URL; what makes no sense is as if it were absent. */
export function readEventFilters(params: URLSearchParams): EventFilters {
  return { order: params.get('order') === 'asc' ? 'asc' : 'desc', after: readPosition(params.get('after') ?? '') ?? 0 };
}

/** Writes the filters as a URL's query, without what is default. */
export function writeEventFilters({ order, after }: EventFilters): URLSearchParams {
  const params = new URLSearchParams();
  if (order !== 'desc') params.set('order', order);
  if (after > 0) params.set('after', String(after));
  return params;
}

/** A position that somebody typed: a whole number, nothing for 0; null for what is none. */
export function readPosition(text: string): number | null {
  const trimmed = text.trim();
  if (trimmed === '') return 0;
  const position = /^\d+$/.test(trimmed) ? Number(trimmed) : NaN;
  return Number.isSafeInteger(position) ? position : null;
}
