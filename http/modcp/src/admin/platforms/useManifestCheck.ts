import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { checkManifest, type ManifestFault } from '../../api/platforms';
import { keys } from '../../api/queryKeys';

const noFaults: readonly ManifestFault[] = [];

/** What the server finds in a manifest while it is typed: nothing is asked before the typing rests. */
export function useManifestCheck(manifest: string, enabled = true) {
  const [rested] = useDebouncedValue(manifest, 300);
  const check = useQuery({
    queryKey: keys.manifestCheck(rested),
    queryFn: ({ signal }) => checkManifest(rested, signal),
    enabled: enabled && rested.trim() !== '',
    placeholderData: (before) => before,
    staleTime: 10_000,
    gcTime: 10_000,
  });
  return { faults: rested.trim() === '' ? noFaults : (check.data?.faults ?? noFaults), notes: check.data?.notes ?? noFaults, settled: rested === manifest && check.isSuccess && !check.isPlaceholderData, error: check.error };
}
