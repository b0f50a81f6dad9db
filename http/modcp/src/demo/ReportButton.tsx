import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { ForumKind } from '../api/forum';
import { useUser } from '../session/useSession';
import { useI18n } from '../i18n/I18n';
import { Icon } from '../ui/Icon';

const ReportDialog = lazy(() => import('./ReportDialog').then((m) => ({ default: m.ReportDialog })));

/** Opens the report dialog; a guest signs in first. */
export function ReportButton({ kind, id, title }: { kind: ForumKind; id: string; title: string }) {
  const { t } = useI18n();
  const user = useUser();
  const navigate = useNavigate();
  const location = useLocation();
  const [opened, setOpened] = useState(false);
  const open = () => {
    if (user === null) void navigate(`/sign-in?next=${encodeURIComponent(location.pathname)}`);
    else setOpened(true);
  };
  const label = title === '' ? t('demo.report') : t('demo.reportThis', { title });
  return (
    <>
      <Button size="compact-md" variant="default" leftSection={<Icon name="flag" size={15} />} aria-label={label} onClick={open}>
        {t('demo.report')}
      </Button>
      {opened && (
        <Suspense>
          <ReportDialog kind={kind} id={id} title={title} close={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  );
}
