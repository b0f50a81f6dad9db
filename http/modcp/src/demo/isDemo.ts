import { useQuery } from '@tanstack/react-query';
import { listForum } from '../api/forum';
import { keys } from '../api/queryKeys';

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** `docket demo` listens on loopback only, so its accounts are offered only there. */
export function isLoopback(hostname: string): boolean {
  return loopback.test(hostname);
}

/** Reports whether the demo forum answers on a loopback address. */
export function useIsDemo(): boolean {
  const local = isLoopback(location.hostname);
  const probe = useQuery({
    queryKey: keys.forum('topics', { first: 1 }),
    queryFn: ({ signal }) => listForum('topics', { first: 1 }, signal),
    enabled: local,
    retry: false,
    staleTime: Infinity,
  });
  return local && probe.isSuccess;
}
