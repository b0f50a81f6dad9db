import type { Person } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { Icon } from '../ui/Icon';
import classes from './ReportHeader.module.css';

/** Who else is looking. */
export function Viewers({ people }: { people: readonly Person[] }) {
  const { t } = useI18n();
  if (people.length === 0) return null;
  return (
    <span className={classes.viewers} role="status">
      <Icon name="eye" size={15} />
      {t('report.viewers', { names: people.map((person) => person.name).join(', '), count: people.length })}
    </span>
  );
}
