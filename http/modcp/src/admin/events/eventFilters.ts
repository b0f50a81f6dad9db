/** What the event log shows; the URL holds all of it. */
export interface EventFilters {
  order: 'asc' | 'desc';
  /** Only events after this position; 0 means all. The server takes it without the filters below. */
  after: number;
  actor: string;
  type: string;
  report: string;
  /** Days here, both inclusive, or ''. */
  from: string;
  to: string;
}

const named = ['actor', 'type', 'report', 'from', 'to'] as const;

export const unfiltered = { actor: '', type: '', report: '', from: '', to: '' } satisfies Partial<EventFilters>;
export const isFiltered = (filters: EventFilters) => named.some((name) => filters[name] !== '');

/** Reads the filters from a URL; invalid values are ignored. */
export function readEventFilters(params: URLSearchParams): EventFilters {
  const filters: EventFilters = { ...unfiltered, order: params.get('order') === 'asc' ? 'asc' : 'desc', after: readPosition(params.get('after') ?? '') ?? 0 };
  for (const name of named) filters[name] = params.get(name) ?? '';
  for (const day of ['from', 'to'] as const) if (Number.isNaN(Date.parse(filters[day]))) filters[day] = '';
  if (isFiltered(filters)) filters.after = 0;
  return filters;
}

/** Writes the filters as a URL's query, without defaults. */
export function writeEventFilters(filters: EventFilters): URLSearchParams {
  const params = new URLSearchParams();
  if (filters.order !== 'desc') params.set('order', filters.order);
  if (filters.after > 0) params.set('after', String(filters.after));
  for (const name of named) if (filters[name] !== '') params.set(name, filters[name]);
  return params;
}

/** The parameters by which the server is asked. */
export function eventQuery({ order, after, actor, type, report, from, to }: EventFilters) {
  return {
    order,
    after: after === 0 ? undefined : after,
    actorId: actor,
    type,
    reportId: report,
    occurredAfter: from === '' ? '' : startOf(from, 0),
    occurredBefore: to === '' ? '' : startOf(to, 1),
  };
}

/** When a day, or one some days later, begins here. */
function startOf(day: string, later: number): string {
  const at = new Date(`${day}T00:00`);
  at.setDate(at.getDate() + later);
  return at.toISOString();
}

/** Parses a typed position: a whole number, 0 for nothing, null for anything else. */
export function readPosition(text: string): number | null {
  const trimmed = text.trim();
  if (trimmed === '') return 0;
  const position = /^\d+$/.test(trimmed) ? Number(trimmed) : NaN;
  return Number.isSafeInteger(position) ? position : null;
}
