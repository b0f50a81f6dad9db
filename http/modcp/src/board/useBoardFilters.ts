import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { changeFilters, readFilters, writeFilters, type BoardFilters } from './filters';

/** The board's filters as the URL holds them. */
export function useBoardFilters(): [BoardFilters, (change: Partial<BoardFilters>, replace?: boolean) => void] {
  const [params, setParams] = useSearchParams();
  const filters = useMemo(() => readFilters(params), [params]);
  const change = useCallback(
    (difference: Partial<BoardFilters>, replace = false) => {
      // Reads the URL and not the rendered filters, which may lag one change behind it.
      const current = readFilters(new URLSearchParams(window.location.search));
      setParams(writeFilters(changeFilters(current, difference)), { replace });
    },
    [setParams],
  );
  return [filters, change];
}
