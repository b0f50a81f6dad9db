import type { Person } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { Tag } from '../ui/Tag';

/** Says that a report, or one of a case, waits for somebody. */
export function EscalatedMark({ escalated }: { escalated: { person: Person | null } | null | undefined }) {
  const { t } = useI18n();
  if (escalated == null) return null;
  return (
    <Tag tone="violet" title={escalated.person === null ? t('escalation.markLeads') : t('escalation.markPerson', { name: escalated.person.name })}>
      {t('escalation.mark')}
    </Tag>
  );
}
