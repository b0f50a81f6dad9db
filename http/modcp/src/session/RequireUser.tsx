import { Button, Group } from '@mantine/core';
import { lazy, Suspense, type ReactNode } from 'react';
import { Link, Navigate, useLocation } from 'react-router';
import { useI18n } from '../i18n/I18n';
import { Empty, Failure, Loading } from '../ui/States';
import { useSession } from './useSession';

const FactorNeeded = lazy(() => import('../account/FactorNeeded').then((m) => ({ default: m.FactorNeeded })));

/**
 * Renders its children for users with access. This only avoids a screen full of errors:
 * the server checks every request.
 */
export function RequireUser({ need, children }: { need?: 'moderator' | 'admin'; children: ReactNode }) {
  const { t } = useI18n();
  const location = useLocation();
  const session = useSession();
  if (session.isPending) return <Loading />;
  if (session.isError && session.data === undefined) return <Failure error={session.error} retry={() => void session.refetch()} />;
  const user = session.data?.user ?? null;
  const here = location.pathname + location.search;
  if (user === null) return <Navigate to={`/sign-in?next=${encodeURIComponent(here)}`} replace />;
  if (session.data?.factorRequired === true) return <Suspense fallback={<Loading />}><FactorNeeded /></Suspense>;
  const allowed = need === undefined || (need === 'moderator' ? user.isModerator : user.isAdmin);
  if (!allowed) {
    return (
      <Empty page icon="shield" title={t('session.noAccess')} hint={t('session.noAccessHint')}>
        <Group gap="xs" justify="center">
          <Button component={Link} to={`/sign-in?next=${encodeURIComponent(here)}`} variant="default">
            {t('session.signInOther')}
          </Button>
          <Button component={Link} to={session.data?.demoForum === true ? '/' : '/account'} variant="subtle">
            {t(session.data?.demoForum === true ? 'nav.toForum' : 'account.open')}
          </Button>
        </Group>
      </Empty>
    );
  }
  return children;
}
