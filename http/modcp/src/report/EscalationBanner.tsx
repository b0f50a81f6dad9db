import { Button } from '@mantine/core';
import type { Report } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { useUser } from '../session/useSession';
import { Callout } from '../ui/Callout';
import { Icon } from '../ui/Icon';
import { LongText } from '../ui/LongText';
import { offers } from './possibleMoves';

/** Who left the report to whom and why, with the way back. */
export function EscalationBanner({ report, giveBack }: { report: Report; giveBack: () => void }) {
  const { t } = useI18n();
  const self = useUser();
  const { escalated } = report;
  if (escalated === null) return null;
  const by = escalated.by?.name ?? t('state.deletedAccount');
  const { person } = escalated;
  const title = person === null ? t('escalation.bannerLeads', { by }) : person.id === self?.id ? t('escalation.bannerYou', { by }) : t('escalation.banner', { by, name: person.name });
  return (
    <Callout tone="amber" title={title}>
      {escalated.note === null ? <p>{t('escalation.erased')}</p> : <LongText text={escalated.note} />}
      {offers(report, 'return') && (
        <Button variant="default" size="compact-md" leftSection={<Icon name="undo" size={15} />} onClick={giveBack}>
          {t('move.return')}
        </Button>
      )}
    </Callout>
  );
}
