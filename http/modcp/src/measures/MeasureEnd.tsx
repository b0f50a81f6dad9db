import type { MeasureEnd as EndedBy, MeasureKind } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { When } from '../ui/When';
import { timed } from './measureDraft';

interface Ending {
  kind: MeasureKind;
  until: string | null;
  endedAt: string | null;
  endedBy: EndedBy | null;
}

/** When a measure ends, or when and by what it has ended. */
export function MeasureEnd({ of: { kind, until, endedAt, endedBy } }: { of: Ending }) {
  const { t, date } = useI18n();
  if (endedAt !== null) {
    return (
      <span>
        {t(`measure.endedBy.${endedBy ?? 'expiry'}`)} <When iso={endedAt} />
      </span>
    );
  }
  if (!timed(kind)) return null;
  return until === null ? <span>{t('measure.noEnd')}</span> : <time dateTime={until}>{t('measure.ends', { time: date(until) })}</time>;
}
