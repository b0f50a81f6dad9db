import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { keys } from '../../api/queryKeys';
import { reporterRecord } from '../../api/stats';
import type { Person } from '../../api/types';
import { defaultFilters, writeFilters } from '../../board/filters';
import { useI18n } from '../../i18n/I18n';
import classes from './ReporterRecord.module.css';

/** How a reporter's reports were decided, with a link to them. */
export function ReporterRecord({ reporter }: { reporter: Person }) {
  const { t } = useI18n();
  const record = useQuery({ queryKey: keys.reporterRecord(reporter.id), queryFn: ({ signal }) => reporterRecord(reporter.id, signal) }).data;
  if (record === undefined || record.filed === 0) return null;
  const { filed, open, upheld, notUpheld, duplicate } = record;
  return (
    <p className={classes.line}>
      <span>{t('record.line', { filed, open, upheld, notUpheld, duplicate })}</span>
      <Link to={{ pathname: '/modcp/reports', search: writeFilters({ ...defaultFilters, status: 'all', search: reporter.name }).toString() }}>{t('record.find')}</Link>
    </p>
  );
}
