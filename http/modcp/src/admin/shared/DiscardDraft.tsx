import { Button } from '@mantine/core';
import { useI18n } from '../../i18n/I18n';

/** Takes back what was written and not saved. */
export function DiscardDraft({ discard }: { discard: () => void }) {
  const { t } = useI18n();
  return (
    <Button variant="default" onClick={discard}>
      {t('staff.discard')}
    </Button>
  );
}
