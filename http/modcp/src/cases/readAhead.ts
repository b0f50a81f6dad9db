import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query';
import type { CaseTarget } from '../api/cases';
import { keys } from '../api/queryKeys';
import { listReports } from '../api/reports';
import type { ReportItem } from '../api/types';
import { reportQuery } from '../report/reportQuery';
import { nextCursor } from '../ui/ListFrame';

const pageSize = 100;

/** The open reports of a case, oldest first. */
export const caseReportsQuery = ({ pluginId, type, id }: CaseTarget) =>
  infiniteQueryOptions({
    queryKey: keys.caseReports(`${pluginId}/${type}/${id}`),
    queryFn: ({ pageParam, signal }) =>
      listReports({ pluginId, targetType: type, targetId: id, status: 'new,in_progress', order: 'asc', first: pageSize, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: nextCursor,
  });

/** Reads a case's reports and returns the first, whose evidence is shown. */
export async function firstReport(client: QueryClient, target: CaseTarget): Promise<ReportItem | undefined> {
  return (await client.fetchInfiniteQuery(caseReportsQuery(target))).pages[0]?.edges[0];
}

/** How long what was read ahead is good for, in milliseconds; the screen reads it again anyway. */
const fresh = 30_000;

/** Reads a case before it is opened. */
export async function readCaseAhead(client: QueryClient, target: CaseTarget): Promise<void> {
  const first = (await client.fetchInfiniteQuery({ ...caseReportsQuery(target), staleTime: fresh })).pages[0]?.edges[0];
  if (first !== undefined) await client.prefetchQuery({ ...reportQuery(client, first.id), staleTime: fresh });
}
