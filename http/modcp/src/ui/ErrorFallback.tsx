import { Button } from '@mantine/core';
import { useI18n } from '../i18n/I18n';
import { Empty } from './States';

export function ErrorFallback({ error, reset }: { error: unknown; reset: () => void }) {
  const { t } = useI18n();
  // A chunk that cannot be loaded is a build that was replaced: only a reload helps.
  const outdated = error instanceof TypeError && /dynamically imported module|module script/i.test(error.message);
  return (
    <div role="alert">
      <Empty icon="warning" title={t('state.error')} hint={error instanceof Error ? error.message : undefined}>
        <Button variant="default" onClick={() => (outdated ? location.reload() : reset())}>
          {t('action.retry')}
        </Button>
      </Empty>
    </div>
  );
}
