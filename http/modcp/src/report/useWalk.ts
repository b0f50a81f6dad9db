import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { useNavigate } from 'react-router';
import { keys } from '../api/queryKeys';
import { listReports } from '../api/reports';
import type { Page, ReportItem } from '../api/types';
import { useStep } from '../keyboard/ShortcutProvider';
import { listQuery, writeFilters, type BoardFilters } from '../board/filters';
import { reportQuery } from './reportQuery';
import type { WalkRow } from './SplitView';

/** How many reports are read before they are opened, and for how many milliseconds that is not done again. */
const ahead = 2;
const fresh = 30_000;

interface Place {
  cursor: string;
  direction: 'after' | 'before';
}

/**
 * Moves through the board's list from one report to the next. The list stays as it
 * was at the start: a decision removes a report from the board, which must not shift
 * the position of the walk.
 */
export function useWalk(id: string, filters: BoardFilters) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const start: Place = { cursor: filters.cursor, direction: filters.direction };
  const walk = useInfiniteQuery({
    queryKey: keys.walk(filters),
    queryFn: ({ pageParam, signal }) => listReports(listQuery({ ...filters, ...pageParam }, Date.now()), signal),
    initialPageParam: start,
    initialData: () => {
      const page = client.getQueryData<Page<ReportItem>>(keys.list(filters));
      return page === undefined ? undefined : { pages: [page], pageParams: [start] };
    },
    getNextPageParam: (page): Place | undefined =>
      page.pageInfo.hasNextPage && page.pageInfo.endCursor !== null ? { cursor: page.pageInfo.endCursor, direction: 'after' } : undefined,
    getPreviousPageParam: (page): Place | undefined =>
      page.pageInfo.hasPreviousPage && page.pageInfo.startCursor !== null ? { cursor: page.pageInfo.startCursor, direction: 'before' } : undefined,
    staleTime: Infinity,
  });

  const { data } = walk;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.edges) ?? [], [data]);
  const at = rows.findIndex((row) => row.id === id);
  const canNext = at >= 0 ? at < rows.length - 1 || walk.hasNextPage : rows.length > 0;
  const canPrevious = at > 0 || (at === 0 && walk.hasPreviousPage);

  useEffect(() => {
    if (at === -1) return;
    for (const row of rows.slice(at + 1, at + 1 + ahead)) void client.prefetchQuery({ ...reportQuery(client, row.id), staleTime: fresh });
  }, [at, client, rows]);

  const { fetchNextPage, fetchPreviousPage } = walk;
  const step = useStep();
  const go = useCallback(
    (by: 1 | -1) => step(async () => {
      let list = rows;
      if (by === 1 && at === rows.length - 1 && walk.hasNextPage) list = (await fetchNextPage()).data?.pages.flatMap((page) => page.edges) ?? rows;
      if (by === -1 && at === 0 && walk.hasPreviousPage) list = (await fetchPreviousPage()).data?.pages.flatMap((page) => page.edges) ?? rows;
      const here = list.findIndex((row) => row.id === id);
      const next = list[here === -1 ? 0 : here + by];
      if (next === undefined || next.id === id) return false;
      await navigate({ pathname: `/modcp/reports/${next.id}`, search: writeFilters(filters).toString() });
      return true;
    }),
    [at, fetchNextPage, fetchPreviousPage, filters, id, navigate, rows, step, walk.hasNextPage, walk.hasPreviousPage],
  );

  const listed = useMemo(() => rows.map((row): WalkRow => walkRow(row, writeFilters(filters).toString())), [filters, rows]);
  return { go, canNext, canPrevious, position: at === -1 ? null : at + 1, rows: listed };
}

const walkRow = ({ id, title, excerpt, reason, createdAt }: ReportItem, search: string): WalkRow => ({
  key: id,
  to: { pathname: `/modcp/reports/${id}`, search },
  text: title ?? '',
  about: excerpt ?? '',
  reasons: [reason],
  at: createdAt,
});

export type Walk = ReturnType<typeof useWalk>;
