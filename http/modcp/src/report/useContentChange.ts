import { skipToken, useQuery } from '@tanstack/react-query';
import { readPublicContent } from '../api/forum';
import { keys } from '../api/keys';
import type { Report } from '../api/types';
import { useTargetTypes } from '../board/useTargetTypes';
import { contentChanges, type FieldChange } from './contentChanges';

/**
 * Fields whose present public value, in the language that the reporter saw, is
 * another than the snapshot's. What the public content API does not serve (it has
 * no path there, is hidden or deleted) simply shows no difference.
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
