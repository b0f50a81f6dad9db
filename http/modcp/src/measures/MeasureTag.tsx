import type { MeasureKind } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { Tag, type Tone } from '../ui/Tag';

const tones: Record<MeasureKind, Tone> = { warn: 'amber', restrict: 'violet', suspend: 'red', terminate: 'red' };

/** What a measure is; one that has ended is grey. */
export function MeasureTag({ kind, ended = false }: { kind: MeasureKind; ended?: boolean }) {
  const { t } = useI18n();
  return <Tag tone={ended ? 'neutral' : tones[kind]}>{t(`measure.is.${kind}`)}</Tag>;
}
