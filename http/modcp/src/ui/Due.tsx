import { useI18n } from '../i18n/I18n';
import { Tag } from './Tag';
import { useNow } from './useNow';

const hour = 3_600_000;

/** When something is due: marked where that is within the hour or past. */
export function Due({ iso }: { iso: string }) {
  const { t, relative, date } = useI18n();
  const now = Math.max(useNow(), Date.now());
  const left = Date.parse(iso) - now;
  const when = relative(iso, now, 'narrow');
  return (
    <time dateTime={iso} title={date(iso)}>
      <Tag tone={left < 0 ? 'red' : left < hour ? 'amber' : 'neutral'}>{t(left < 0 ? 'due.overdue' : 'due.due', { when })}</Tag>
    </time>
  );
}
