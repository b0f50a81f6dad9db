import { useI18n } from '../i18n/I18n';
import type { Case } from '../api/cases';
import { Tag } from '../ui/Tag';

/** Says until when a case is nobody's next; nothing of one that is not parked. */
export function ParkedMark({ parked }: Pick<Case, 'parked'>) {
  const { t, date } = useI18n();
  if (parked === null) return null;
  const time = date(parked.until);
  return <Tag title={parked.by === null ? undefined : t('cases.parkedBy', { name: parked.by.name })}>{t('cases.parkedUntil', { time })}</Tag>;
}
