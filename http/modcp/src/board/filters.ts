import type { Query } from '../api/reports';
import { reasons, statuses, type Reason, type ReportItem, type Status } from '../api/types';

/** What the board shows. The URL holds all of it, so that Back and a shared link restore it. */
export interface BoardFilters {
  status: Status | 'all';
  /** `me`, `none`, `any` (somebody), a user id, or empty for anyone. */
  assigned: string;
  type: string;
  reason: Reason | '';
  /** The key of a rule that reporters named, or empty. */
  policy: string;
  /** What a live rule calls reports, or empty. */
  tag: string;
  /** `family:resource`, or empty. */
  scope: string;
  search: string;
  /** `pluginId:id` of an author of the content, or empty. */
  author: string;
  /** The content's locale, such as `ar`, or empty. */
  locale: string;
  time: TimeSpan | '';
  /** A target id; with `type`, all reports on one target. */
  target: string;
  sort: Sort;
  /** The order of the board by content. */
  caseSort: CaseSort;
  /** `overdue` is past its deadline, `muted` filed by somebody who was muted, `escalated` waits for the user and `escalatedAny` for anybody. */
  only: (typeof onlys)[number] | '';
  /** `shown` lists reports by muted reporters among the others. */
  muted: 'shown' | '';
  cursor: string;
  direction: 'after' | 'before';
}

export type Sort = 'newest' | 'oldest' | 'updated' | 'due' | 'priority';
export type CaseSort = 'priority' | 'first' | 'last' | 'due';
export type TimeSpan = '1h' | '24h' | '7d' | '30d';

export const timeSpans: readonly TimeSpan[] = ['1h', '24h', '7d', '30d'];
export const sorts: readonly Sort[] = ['newest', 'oldest', 'updated', 'priority', 'due'];
export const caseSorts: readonly CaseSort[] = ['priority', 'first', 'last', 'due'];
export const onlys = ['overdue', 'escalated', 'escalatedAny', 'muted'] as const;
export const pageSize = 25;

const spanHours: Record<TimeSpan, number> = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 };

export const defaultFilters: BoardFilters = {
  status: 'new',
  assigned: '',
  type: '',
  reason: '',
  policy: '',
  tag: '',
  scope: '',
  search: '',
  author: '',
  locale: '',
  time: '',
  target: '',
  sort: 'newest',
  caseSort: 'priority',
  only: '',
  muted: '',
  cursor: '',
  direction: 'after',
};

function oneOf<T extends string, D extends string>(value: string | null, allowed: readonly T[], otherwise: D): T | D {
  return allowed.find((candidate) => candidate === value) ?? otherwise;
}

/** Reads filters from a URL; unknown names and values are ignored. */
export function readFilters(params: URLSearchParams): BoardFilters {
  const after = params.get('after');
  const before = params.get('before');
  return {
    status: oneOf(params.get('status'), [...statuses, 'all'] as const, 'new'),
    assigned: params.get('assigned') ?? '',
    type: params.get('type') ?? '',
    reason: oneOf(params.get('reason'), reasons, ''),
    policy: params.get('policy') ?? '',
    tag: /^[a-z0-9-]{1,32}$/.exec(params.get('tag') ?? '')?.[0] ?? '',
    scope: params.get('scope') ?? '',
    search: params.get('search') ?? '',
    author: params.get('author') ?? '',
    locale: params.get('locale') ?? '',
    time: oneOf(params.get('time'), timeSpans, ''),
    target: params.get('target') ?? '',
    sort: oneOf(params.get('sort'), sorts, 'newest'),
    caseSort: oneOf(params.get('caseSort'), caseSorts, 'priority'),
    only: oneOf(params.get('only'), onlys, ''),
    muted: oneOf(params.get('muted'), ['shown'] as const, ''),
    cursor: after ?? before ?? '',
    direction: after === null && before !== null ? 'before' : 'after',
  };
}

/** Writes filters as a URL's query; defaults are left out, so that equal lists have equal links. */
export function writeFilters(filters: BoardFilters): URLSearchParams {
  const params = new URLSearchParams();
  for (const name of ['status', 'assigned', 'type', 'reason', 'policy', 'tag', 'scope', 'search', 'author', 'locale', 'time', 'target', 'sort', 'caseSort', 'only', 'muted'] as const) {
    if (filters[name] !== defaultFilters[name]) params.set(name, filters[name]);
  }
  if (filters.cursor !== '') params.set(filters.direction, filters.cursor);
  return params;
}

/** Applies a change. Anything but paging returns to the first page. */
export function changeFilters(filters: BoardFilters, change: Partial<BoardFilters>): BoardFilters {
  const paging = 'cursor' in change;
  return { ...filters, ...(paging ? {} : { cursor: '', direction: 'after' as const }), ...change };
}

/** Filters other than the tab, the order and the page. */
export function activeFilterCount(filters: BoardFilters): number {
  return (['assigned', 'type', 'reason', 'policy', 'tag', 'scope', 'author', 'locale', 'time', 'target', 'only', 'muted'] as const).filter((name) => filters[name] !== '').length;
}

export function isNarrowed(filters: BoardFilters): boolean {
  return filters.search !== '' || activeFilterCount(filters) > 0;
}

function common(filters: BoardFilters, now: number): Query {
  return {
    targetType: filters.type,
    reason: filters.reason,
    policy: filters.policy,
    tag: filters.tag,
    scope: filters.scope,
    search: filters.search,
    author: filters.author,
    locale: filters.locale,
    targetId: filters.target,
    overdue: filters.only === 'overdue' ? 'true' : undefined,
    escalated: filters.only === 'escalated' ? 'me' : filters.only === 'escalatedAny' ? 'any' : undefined,
    muted: filters.only === 'muted' ? 'true' : filters.muted === 'shown' ? 'any' : undefined,
    createdAfter: filters.time === '' ? undefined : new Date(now - spanHours[filters.time] * 3_600_000).toISOString(),
  };
}

const orderings: Record<Sort, string | undefined> = { newest: undefined, oldest: undefined, updated: 'updatedAt', due: 'dueAt', priority: 'priority' };

/** The API's query for the list; `now` is in milliseconds and anchors relative times. */
export function listQuery(filters: BoardFilters, now: number): Query {
  const { cursor, direction, sort } = filters;
  return {
    ...common(filters, now),
    status: filters.status === 'all' ? undefined : filters.status,
    assigned: filters.assigned,
    orderBy: orderings[sort],
    order: sort === 'oldest' ? 'asc' : undefined,
    cursor,
    first: direction === 'after' ? pageSize : undefined,
    last: direction === 'before' ? pageSize : undefined,
  };
}

export function countsQuery(filters: BoardFilters, now: number): Query {
  return common(filters, now);
}

/** Whether a row that has changed under the list still belongs in it. */
export function stillFits(row: Pick<ReportItem, 'status' | 'assignee'>, filters: BoardFilters, selfId: string | null): boolean {
  if (filters.status !== 'all' && row.status !== filters.status) return false;
  const holder = row.assignee?.id ?? null;
  switch (filters.assigned) {
    case '':
      return true;
    case 'me':
      return holder === selfId;
    case 'none':
      return holder === null;
    case 'any':
      return holder !== null;
    default:
      return holder === filters.assigned;
  }
}
