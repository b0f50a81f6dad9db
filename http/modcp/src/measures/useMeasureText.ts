import { useCallback } from 'react';
import type { MeasureKind } from '../api/types';
import { formatDate, wholeDay } from '../i18n/format';
import { useI18n } from '../i18n/I18n';
import { timed } from './measureDraft';

type Length = { days: number | null } | { until: string | null };

/** A measure in words with how long it lasts: "Suspend for 7 days". */
export function useMeasureText(): (kind: MeasureKind, length: Length) => string {
  const { t, date } = useI18n();
  return useCallback(
    (kind, length) => {
      const what = t(`measure.${kind}`);
      if (!timed(kind)) return what;
      if ('until' in length) return length.until === null ? t('measure.unending', { what }) : t('measure.until', { what, time: date(length.until) });
      return length.days === null ? t('measure.unending', { what }) : t('measure.forDays', { what, days: length.days });
    },
    [date, t],
  );
}

/** A measure in words for the member on whom it was imposed. */
export function useOwnMeasureText(): (kind: MeasureKind, until: string | null) => string {
  const { t, date } = useI18n();
  return useCallback(
    (kind, until) => (until === null || kind === 'warn' || kind === 'terminate' ? t(`standing.${kind}`) : t(`standing.${kind}Until`, { time: date(until) })),
    [date, t],
  );
}

/** A day in words. */
export function useDay(): (iso: string) => string {
  const { locale } = useI18n();
  return useCallback((iso) => formatDate(iso, locale.id, wholeDay), [locale.id]);
}
