import { useQuery } from '@tanstack/react-query';
import { keys } from '../api/queryKeys';
import { readReporter } from '../api/reporters';

/** A reporter with their mutes. */
export function useReporter(id: string) {
  return useQuery({ queryKey: keys.reporter(id), queryFn: ({ signal }) => readReporter(id, signal) });
}
