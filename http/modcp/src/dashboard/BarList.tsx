import { useI18n } from '../i18n/I18n';
import classes from './Dashboard.module.css';

export interface Bar {
  key: string;
  label: string;
  count: number;
  tone?: 'red' | 'amber' | 'green' | 'blue' | 'violet';
}

/** Named quantities, longest bar for the greatest. */
export function BarList({ bars }: { bars: Bar[] }) {
  const { number } = useI18n();
  const most = Math.max(1, ...bars.map((bar) => bar.count));
  return (
    <ul className={classes.bars}>
      {bars.map((bar) => (
        <li key={bar.key}>
          <span>{bar.label}</span>
          <span className={classes.track} aria-hidden="true">
            <span className={classes.fill} data-tone={bar.tone} style={{ width: `${(100 * bar.count) / most}%` }} />
          </span>
          <span className={classes.value}>{number(bar.count)}</span>
        </li>
      ))}
    </ul>
  );
}
