import { useInfiniteQuery } from '@tanstack/react-query';
import { listHeld } from '../api/held';
import { keys } from '../api/queryKeys';
import { usePollInterval } from '../live/LiveProvider';
import { useRefresh } from '../live/useRefresh';
import { nextCursor } from '../ui/ListFrame';

const pollEvery = 20_000;

/** The decisions that wait for a second person, the oldest first. */
export function useHeld(enabled = true) {
  const poll = usePollInterval(pollEvery);
  useRefresh(keys.held, 200, (event) => event.kind === 'reset' || (event.kind === 'change' && event.type.includes('held')));
  return useInfiniteQuery({
    queryKey: keys.held,
    queryFn: ({ pageParam, signal }) => listHeld({ first: 50, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: nextCursor,
    refetchInterval: poll,
    enabled,
  });
}
