import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/http';
import { keys } from '../api/keys';

/** A session that ended is noticed by whichever request meets it first. */
export function createQueryClient(): QueryClient {
  const noticeEnd = (error: unknown) => {
    if (error instanceof ApiError && error.status === 401 && error.code === 'unauthorized') {
      void client.invalidateQueries({ queryKey: keys.session });
    }
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: noticeEnd }),
    mutationCache: new MutationCache({ onError: noticeEnd }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        refetchOnWindowFocus: true,
        // Refusals do not change by asking again; a server that restarts does.
        retry: (count, error) => count < 4 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 502),
        retryDelay: (count) => Math.min(500 * 2 ** count, 5_000),
        // The browser's idea of being offline is wrong for a server on this machine.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}
