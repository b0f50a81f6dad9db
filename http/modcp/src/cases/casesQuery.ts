import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { listCases } from '../api/cases';
import { keys } from '../api/queryKeys';
import { readFilters, type BoardFilters } from '../board/filters';
import { scopesQuery, targetTypesQuery } from '../board/useTargetTypes';
import { casesQuery } from './caseLinks';

/** A page of cases. */
export const caseListOf = (filters: BoardFilters) =>
  queryOptions({ queryKey: keys.caseList(filters), queryFn: ({ signal }) => listCases(casesQuery(filters, Date.now()), signal) });

/** Prefetches what the cases at an address show; resolves once its rows have loaded. */
export async function prefetchCases(client: QueryClient, address: URLSearchParams): Promise<void> {
  await Promise.all([client.prefetchQuery(caseListOf(readFilters(address))), client.prefetchQuery(targetTypesQuery), client.prefetchQuery(scopesQuery)]);
}
