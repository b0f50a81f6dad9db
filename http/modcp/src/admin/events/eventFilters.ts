/** What the event log shows; the URL holds all of it. */
export interface EventFilters {
  order: 'asc' | 'desc';
  /** Only events after this position; 0 means all. */
  after: number;
}

/** Reads the filters from a URL; invalid values are ignored. */
export function readEventFilters(params: URLSearchParams): EventFilters {
  return { order: params.get('order') === 'asc' ? 'asc' : 'desc', after: readPosition(params.get('after') ?? '') ?? 0 };
}

/** Writes the filters as a URL's query, without defaults. */
export function writeEventFilters({ order, after }: EventFilters): URLSearchParams {
  const params = new URLSearchParams();
  if (order !== 'desc') params.set('order', order);
  if (after > 0) params.set('after', String(after));
  return params;
}

/** Parses a typed position: a whole number, 0 for nothing, null for anything else. */
export function readPosition(text: string): number | null {
  const trimmed = text.trim();
  if (trimmed === '') return 0;
  const position = /^\d+$/.test(trimmed) ? Number(trimmed) : NaN;
  return Number.isSafeInteger(position) ? position : null;
}
