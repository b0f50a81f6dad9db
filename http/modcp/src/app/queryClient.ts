import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/http';
import { keys } from '../api/queryKeys';

/** Any request may be the first to find that the session has ended. */
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
        // A refusal is final; a server that restarts is worth a retry, and a browser that is offline says so at once.
        retry: (count, error) => count < 4 && navigator.onLine && (!(error instanceof ApiError) || error.status === 0 || error.status >= 502),
        retryDelay: (count) => Math.min(500 * 2 ** count, 5_000),
        // The browser may call itself offline while a server on this machine can be reached.
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}
