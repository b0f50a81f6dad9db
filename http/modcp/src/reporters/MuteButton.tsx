import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { Person } from '../api/types';
import { useI18n } from '../i18n/I18n';

const MuteDialog = lazy(() => import('./MuteDialog').then((m) => ({ default: m.MuteDialog })));

/** Opens the mutes of a reporter. */
export function MuteButton({ reporter, text }: { reporter: Person; text: string }) {
  const { t } = useI18n();
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button size="compact-xs" variant="default" aria-label={t('reporters.buttonOf', { text, name: reporter.name })} onClick={() => setOpened(true)}>
        {text}
      </Button>
      {opened && (
        <Suspense>
          <MuteDialog reporter={reporter} close={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  );
}
