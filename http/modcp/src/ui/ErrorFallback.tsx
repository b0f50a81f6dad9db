import { Button } from '@mantine/core';
import { noteReachable, useReachable } from '../api/reachable';
import { useI18n } from '../i18n/I18n';
import { Empty } from './States';

/** Shown in place of a screen that failed, or whose code found no server. React writes the cause to the console. */
export function ErrorFallback() {
  const { t } = useI18n();
  const reachable = useReachable();
  // Without a server a reload would leave the panel, with the decisions that wait in it.
  const reload = () => fetch('/', { method: 'HEAD' }).then(() => location.reload(), () => noteReachable(false));
  return (
    <div role="alert">
      <Empty icon="warning" title={t(reachable ? 'state.broken' : 'state.offline')} hint={t('state.brokenHint')}>
        <Button variant="default" onClick={() => void reload()}>
          {t('action.reload')}
        </Button>
      </Empty>
    </div>
  );
}
