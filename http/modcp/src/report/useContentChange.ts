import { useQuery } from '@tanstack/react-query';
import { readPublicContent } from '../api/forum';
import { keys } from '../api/keys';
import type { Report } from '../api/types';
import { contentChanges, type FieldChange } from './contentChanges';

/**
 * Fields whose present public value is another than the snapshot's. The public
 * content API is asked by the permission module's name; a target that it does
 * not serve there (no public API, hidden, deleted) simply shows no difference.
 */
export function useContentChange(report: Report): FieldChange[] {
  const { pluginId, permissionModule, id, current } = report.target;
  const content = useQuery({
    queryKey: keys.publicContent(pluginId, permissionModule, id),
    queryFn: ({ signal }) => readPublicContent(pluginId, permissionModule, id, signal),
    enabled: current !== null && report.snapshot !== null,
    retry: false,
    staleTime: 30_000,
  });
  if (content.data === undefined || report.snapshot === null) return [];
  return contentChanges(report.snapshot, content.data);
}
