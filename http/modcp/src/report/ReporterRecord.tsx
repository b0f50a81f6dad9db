import { Popover, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { keys } from '../api/keys';
import { reporterRecord } from '../api/stats';
import type { Person } from '../api/types';
import { defaultFilters, writeFilters } from '../board/filters';
import { useI18n } from '../i18n/I18n';
import { Icon } from '../ui/Icon';
import { RecordFigures } from './RecordFigures';
import classes from './ReporterRecord.module.css';

/** How a reporter's reports have fared, beside the name; more of it, and the way to the reports, on demand. */
export function ReporterRecord({ reporter }: { reporter: Person }) {
  const { t } = useI18n();
  const record = useQuery({ queryKey: keys.reporterRecord(reporter.id), queryFn: ({ signal }) => reporterRecord(reporter.id, signal) }).data;
  if (record === undefined || record.filed === 0) return null;
  const { filed, upheld, notUpheld, open, duplicate } = record;
  return (
    <Popover position="bottom-start" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton className={classes.line}>
          {t('record.line', { filed, upheld, notUpheld })}
          <Icon name="chevronDown" size={13} />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={classes.more}>
        <RecordFigures
          figures={[
            ['record.open', open],
            ['record.duplicate', duplicate],
          ]}
        />
        <Link to={{ pathname: '/modcp/reports', search: writeFilters({ ...defaultFilters, status: 'all', search: reporter.name }).toString() }}>{t('record.find')}</Link>
      </Popover.Dropdown>
    </Popover>
  );
}
