import { useQuery } from '@tanstack/react-query';
import { keys } from '../api/queryKeys';
import { authorRecord } from '../api/stats';
import { useI18n } from '../i18n/I18n';
import { Tag } from '../ui/Tag';
import { MeasureTag } from './MeasureTag';

/** What stands against an author beside the name: strikes, and each kind of measure once. */
export function AuthorStanding({ pluginId, id }: { pluginId: string; id: string }) {
  const { t } = useI18n();
  const record = useQuery({ queryKey: keys.authorRecord(pluginId, id), queryFn: ({ signal }) => authorRecord(id, pluginId, signal), retry: false }).data;
  if (record === undefined) return null;
  const kinds = [...new Set(record.measures.map(({ kind }) => kind))];
  return (
    <>
      {record.strikes > 0 && <Tag tone="amber">{t('author.strikeCount', { strikes: record.strikes })}</Tag>} {kinds.map((kind) => <MeasureTag key={kind} kind={kind} />)}
    </>
  );
}
