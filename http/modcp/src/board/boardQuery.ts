import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { keys } from '../api/queryKeys';
import { countReports, listReports } from '../api/reports';
import { countsQuery, listQuery, readFilters, type BoardFilters } from './filters';
import { scopesQuery, targetTypesQuery } from './useTargetTypes';

export const listOf = (filters: BoardFilters) =>
  queryOptions({ queryKey: keys.list(filters), queryFn: ({ signal }) => listReports(listQuery(filters, Date.now()), signal) });

export const countsOf = (filters: BoardFilters) => {
  const { cursor: _cursor, direction: _direction, status: _status, assigned: _assigned, ...counted } = filters;
  return queryOptions({ queryKey: keys.counts(counted), queryFn: ({ signal }) => countReports(countsQuery(filters, Date.now()), signal) });
};

/** Prefetches what the board at an address shows; resolves once its rows have loaded. */
export async function prefetchBoard(client: QueryClient, address: URLSearchParams): Promise<void> {
  const filters = readFilters(address);
  void client.prefetchQuery(countsOf(filters));
  await Promise.all([client.prefetchQuery(listOf(filters)), client.prefetchQuery(targetTypesQuery), client.prefetchQuery(scopesQuery)]);
}
