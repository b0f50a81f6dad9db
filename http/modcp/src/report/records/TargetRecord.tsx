import { useQuery } from '@tanstack/react-query';
import { keys } from '../../api/queryKeys';
import { targetRecord } from '../../api/stats';
import type { Target } from '../../api/types';
import { useI18n } from '../../i18n/I18n';
import { RecordFigures } from './RecordFigures';
import classes from './TargetRecord.module.css';

/** How all reports on the same content were decided, and how often it was acted upon. */
export function TargetRecord({ target }: { target: Target }) {
  const { t } = useI18n();
  const { pluginId, type, id } = target;
  const record = useQuery({ queryKey: keys.targetRecord({ pluginId, type, id }), queryFn: ({ signal }) => targetRecord({ pluginId, type, id }, signal) }).data;
  if (record === undefined || record.filed === 0) return null;
  return (
    <div className={classes.record}>
      <p className={classes.title}>{t('report.onContent')}</p>
      <RecordFigures
        figures={[
          ['record.filed', record.filed],
          ['record.open', record.open],
          ['record.upheld', record.upheld],
          ['record.notUpheld', record.notUpheld],
          ['record.duplicate', record.duplicate],
          ['record.actions', record.actions],
        ]}
      />
    </div>
  );
}
