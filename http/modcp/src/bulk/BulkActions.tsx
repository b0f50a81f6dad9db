import { Button, CloseButton } from '@mantine/core';
import { useI18n } from '../i18n/I18n';
import { Icon } from '../ui/Icon';
import classes from './BulkActions.module.css';
import type { BulkKind } from './BulkProvider';

/** Floats over the list's foot while reports are selected. */
export function BulkActions({ count, start, clear }: { count: number; start: (kind: BulkKind) => void; clear: () => void }) {
  const { t } = useI18n();
  return (
    <div className={classes.bar} data-selection role="toolbar" aria-label={t('bulk.bar')}>
      <strong className={classes.count}>{t('bulk.selected', { count })}</strong>
      <Button size="compact-md" variant="default" leftSection={<Icon name="hand" size={15} />} onClick={() => start('claim')}>
        {t('bulk.claim')}
      </Button>
      <Button size="compact-md" variant="default" leftSection={<Icon name="user" size={15} />} onClick={() => start('assign')}>
        {t('bulk.assign')}
      </Button>
      <Button size="compact-md" leftSection={<Icon name="check" size={15} />} onClick={() => start('resolve')}>
        {t('bulk.resolve')}
      </Button>
      <CloseButton className={classes.clear} aria-label={t('bulk.clear')} onClick={clear} />
    </div>
  );
}
