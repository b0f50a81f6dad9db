import { formatDuration } from '../i18n/format';
import { useI18n } from '../i18n/I18n';
import { ageLevel } from './age';
import { useNow } from './useNow';
import classes from './When.module.css';

interface Props {
  iso: string;
  /** Colours an age that is too long. */
  aged?: boolean;
  short?: boolean;
  /** Shows the time since then alone, as a figure. */
  figure?: boolean;
}

/** A moment relative to now, with the exact time as its title. */
export function When({ iso, aged = false, short = false, figure = false }: Props) {
  const { t, relative, date, locale } = useI18n();
  // Something that happened after the shared clock's last tick is in the past too.
  const now = Math.max(useNow(), Date.now());
  const age = now - Date.parse(iso);
  const text = figure
    ? formatDuration(Math.max(0, age / 1000), locale.id)
    : !short && age >= 0 && age < 60_000
      ? t('state.justNow')
      : relative(iso, now, short ? 'narrow' : 'long');
  return (
    <time dateTime={iso} title={date(iso)} className={classes.when} data-age={aged ? ageLevel(iso, now) : undefined}>
      {text}
    </time>
  );
}
