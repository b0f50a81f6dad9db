import type { ReportMeasure } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { Tag } from '../ui/Tag';

/** That the platform has yet to carry out a measure or its end, or has refused to. */
export function MeasureState({ of: { pending, failed } }: { of: Pick<ReportMeasure, 'pending' | 'failed'> }) {
  const { t } = useI18n();
  if (failed) return <Tag tone="red">{t('measure.failed')}</Tag>;
  return pending ? <Tag tone="blue">{t('measure.pending')}</Tag> : null;
}
