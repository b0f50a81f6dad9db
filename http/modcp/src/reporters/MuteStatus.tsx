import type { Person } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { Tag } from '../ui/Tag';
import { useNow } from '../ui/useNow';
import { MuteButton } from './MuteButton';
import classes from './Reporters.module.css';
import { usePermission } from '../session/usePermission';
import { useReporter } from './useReporter';

/** Whether and until when a reporter is muted, with a button to change it. */
export function MuteStatus({ reporter }: { reporter: Person }) {
  const { t, date } = useI18n();
  const mayMute = usePermission('can_mute_reporters');
  const found = useReporter(reporter.id).data;
  const now = Math.max(useNow(), Date.now());
  if (found === undefined) return null;
  const muted = found.mutedUntil !== null && Date.parse(found.mutedUntil) > now;
  const former = found.mutes.length - (muted ? 1 : 0);
  if (!mayMute && found.mutes.length === 0) return null;
  return (
    <div className={classes.standing}>
      {muted && <Tag tone="amber">{t('reporters.mutedUntil', { time: date(found.mutedUntil!) })}</Tag>}
      {former > 0 && <span>{t('reporters.former', { count: former })}</span>}
      <MuteButton reporter={reporter} text={t(!mayMute ? 'reporters.show' : muted ? 'reporters.change' : 'reporters.mute')} />
    </div>
  );
}
