import type { Query } from '../api/reports';
import type { TargetRef } from '../api/types';
import { countsQuery, pageSize, type BoardFilters, type CaseSort } from '../board/filters';

const columns: Record<CaseSort, string | undefined> = { priority: undefined, first: 'firstAt', last: 'lastAt', due: 'dueAt' };

/** The address of a case; the search keeps the board's filters. */
export const casePath = (target: Pick<TargetRef, 'pluginId' | 'type' | 'id'>, search = '') =>
  `/modcp/cases/${encodeURIComponent(target.pluginId)}/${encodeURIComponent(target.type)}/${encodeURIComponent(target.id)}${search}`;

/** The API's query for a page of cases. */
export function casesQuery(filters: BoardFilters, now: number): Query {
  return {
    ...countsQuery(filters, now),
    assigned: filters.assigned,
    orderBy: columns[filters.caseSort],
    cursor: filters.cursor,
    first: filters.direction === 'after' ? pageSize : undefined,
    last: filters.direction === 'before' ? pageSize : undefined,
  };
}
