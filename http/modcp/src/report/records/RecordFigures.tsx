import { useI18n } from '../../i18n/I18n';
import type { MessageKey } from '../../i18n/messages';
import classes from './RecordFigures.module.css';

/** Outcomes of reports as figures; zeros are left out. */
export function RecordFigures({ figures }: { figures: readonly (readonly [name: MessageKey, count: number])[] }) {
  const { t, number } = useI18n();
  const some = figures.filter(([, count]) => count > 0);
  if (some.length === 0) return null;
  return (
    <dl className={classes.figures}>
      {some.map(([name, count]) => (
        <div key={name}>
          <dt>{t(name)}</dt>
          <dd>{number(count)}</dd>
        </div>
      ))}
    </dl>
  );
}
