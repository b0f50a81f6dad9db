import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { checkRule } from '../../api/backtests';
import { keys } from '../../api/queryKeys';
import type { Fault } from '../shared/textPlaces';

/** What the server finds in a condition while it is typed, and the facts that it can name. Nothing is wrong with one that is still empty. */
export function useRuleCheck(when: string) {
  const [rested] = useDebouncedValue(when, 300);
  const check = useQuery({
    queryKey: keys.ruleCheck(rested),
    queryFn: ({ signal }) => checkRule(rested, signal),
    placeholderData: (before) => before,
    staleTime: 10_000,
    gcTime: 10_000,
  });
  const empty = rested.trim() === '';
  const faults: Fault[] = empty ? [] : (check.data?.faults ?? []).map(({ line = 0, column, message }) => ({ line, column, path: '', message }));
  return {
    faults,
    facts: check.data?.facts ?? [],
    sound: !empty && rested === when && check.isSuccess && !check.isPlaceholderData && faults.length === 0,
    error: check.error,
  };
}
