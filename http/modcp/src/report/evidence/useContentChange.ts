import { skipToken, useQuery } from '@tanstack/react-query';
import { readPublicContent } from '../../api/forum';
import { keys } from '../../api/queryKeys';
import type { Report } from '../../api/types';
import { useTargetTypes } from '../../board/useTargetTypes';
import { contentChanges, type FieldChange } from './contentChanges';

/**
 * Fields whose public value now, in the language that the reporter saw, differs from
 * the snapshot's. Content that the public API does not serve (it has no path there, is
 * hidden or deleted) shows no difference.
 */
export function useContentChange(report: Report): FieldChange[] {
  const { pluginId, type, id, current } = report.target;
  const path = useTargetTypes().data?.items.find((item) => item.pluginId === pluginId && item.type === type)?.publicPath ?? null;
  const locale = report.snapshot?.locale.served ?? '';
  const content = useQuery({
    queryKey: keys.publicContent(pluginId, path ?? '', id, locale),
    queryFn: path !== null && current !== null && report.snapshot !== null ? ({ signal }) => readPublicContent(pluginId, path, id, locale, signal) : skipToken,
    retry: false,
    staleTime: 30_000,
  });
  if (content.data === undefined || report.snapshot === null) return [];
  return contentChanges(report.snapshot, content.data);
}
