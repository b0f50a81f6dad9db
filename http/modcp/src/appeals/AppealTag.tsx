import type { AppealStatus } from '../api/appeals';
import { useI18n } from '../i18n/I18n';
import { Tag, type Tone } from '../ui/Tag';

const tones: Record<AppealStatus, Tone> = { open: 'amber', upheld: 'neutral', overturned: 'violet' };

export function AppealTag({ status }: { status: AppealStatus }) {
  const { t } = useI18n();
  return (
    <Tag tone={tones[status]} dot>
      {t(`appeal.status.${status}`)}
    </Tag>
  );
}
