import { useQuery } from '@tanstack/react-query';
import { keys } from '../api/keys';
import { targetRecord } from '../api/stats';
import type { Target } from '../api/types';
import { RecordFigures } from './RecordFigures';

/** What became of all reports on the same content, and how often it was acted upon. */
export function TargetRecord({ target }: { target: Target }) {
  const { pluginId, type, id } = target;
  const record = useQuery({ queryKey: keys.targetRecord({ pluginId, type, id }), queryFn: ({ signal }) => targetRecord({ pluginId, type, id }, signal) }).data;
  if (record === undefined || record.filed === 0) return null;
  return <RecordFigures record={record} actions={record.actions} />;
}
