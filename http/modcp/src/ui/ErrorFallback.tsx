import { Button } from '@mantine/core';
import { useI18n } from '../i18n/I18n';
import { Empty } from './States';

/** Shown in place of a screen that failed. React writes the cause to the console. */
export function ErrorFallback() {
  const { t } = useI18n();
  return (
    <div role="alert">
      <Empty icon="warning" title={t('state.broken')} hint={t('state.brokenHint')}>
        <Button variant="default" onClick={() => location.reload()}>
          {t('action.reload')}
        </Button>
      </Empty>
    </div>
  );
}
