import { useReachable } from '../api/reachable';
import { useI18n } from '../i18n/I18n';
import { useLiveState } from '../live/LiveProvider';
import classes from './LiveBadge.module.css';

/** Shows whether the screen updates by itself. */
export function LiveBadge() {
  const { t } = useI18n();
  const reachable = useReachable();
  const on = useLiveState() === 'on' && reachable;
  return (
    <span className={classes.badge} data-on={on || undefined} title={t(!reachable ? 'state.offlineHint' : on ? 'live.onHint' : 'live.offHint')}>
      <span className={classes.dot} aria-hidden="true" />
      {t(on ? 'live.on' : 'live.off')}
    </span>
  );
}
