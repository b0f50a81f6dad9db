import { useInfiniteQuery } from '@tanstack/react-query';
import { keys } from '../api/queryKeys';
import { listReports } from '../api/reports';
import { nextCursor } from '../ui/ListFrame';

/** How many reports are read at a time: each is asked for its history. */
const some = 10;

/** The reports on an author's content, what changed last first. */
export const useAuthorReports = (plugin: string, id: string) =>
  useInfiniteQuery({
    queryKey: keys.authorReports(plugin, id),
    queryFn: ({ pageParam, signal }) => listReports({ author: `${plugin}:${id}`, orderBy: 'updatedAt', order: 'desc', first: some, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: nextCursor,
  });
