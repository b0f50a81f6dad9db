import { Button } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import { useI18n } from '../i18n/I18n';
import { Empty } from '../ui/States';
import { useTitle } from '../ui/useTitle';
import { useUser } from '../session/useSession';

export function NotFound() {
  const { t } = useI18n();
  const inForum = useLocation().pathname.startsWith('/forum/');
  const toBoard = useUser()?.isModerator === true && !inForum;
  useTitle(t('nav.notFound'));
  return (
    <Empty page icon="search" title={t('nav.notFound')} hint={t('nav.notFoundHint')}>
      <Button component={Link} to={toBoard ? '/modcp/reports' : '/'} variant="default">
        {t(toBoard ? 'key.board' : 'nav.home')}
      </Button>
    </Empty>
  );
}
