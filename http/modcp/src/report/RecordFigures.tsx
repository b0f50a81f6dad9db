import type { ReactNode } from 'react';
import type { ReportRecord } from '../api/stats';
import { useI18n } from '../i18n/I18n';
import classes from './RecordFigures.module.css';

/** What became of reports, figure by figure. */
export function RecordFigures({ record, actions }: { record: ReportRecord; actions?: number }) {
  const { t, number } = useI18n();
  return (
    <dl className={classes.figures}>
      <Figure name={t('record.filed')}>{number(record.filed)}</Figure>
      <Figure name={t('record.open')}>{number(record.open)}</Figure>
      <Figure name={t('record.upheld')}>{number(record.upheld)}</Figure>
      <Figure name={t('record.notUpheld')}>{number(record.notUpheld)}</Figure>
      <Figure name={t('record.duplicate')}>{number(record.duplicate)}</Figure>
      {actions !== undefined && <Figure name={t('record.actions')}>{number(actions)}</Figure>}
    </dl>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
