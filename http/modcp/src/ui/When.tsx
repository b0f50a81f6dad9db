import { useI18n } from '../i18n/I18n';
import { ageLevel } from './age';
import { useNow } from './useNow';
import classes from './When.module.css';

/** A moment as a distance from now, with the exact time to hand; `aged` colours what waits too long. */
export function When({ iso, aged = false, short = false }: { iso: string; aged?: boolean; short?: boolean }) {
  const { relative, date } = useI18n();
  const now = useNow();
  return (
    <time dateTime={iso} title={date(iso)} className={classes.when} data-age={aged ? ageLevel(iso, now) : undefined}>
      {relative(iso, now, short ? 'narrow' : 'long')}
    </time>
  );
}
