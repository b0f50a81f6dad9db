import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { useI18n } from '../i18n/I18n';
import { Empty } from '../ui/States';
import { useTitle } from '../ui/useTitle';

export function NotFound() {
  const { t } = useI18n();
  useTitle(t('nav.notFound'));
  return (
    <Empty page icon="search" title={t('nav.notFound')} hint={t('nav.notFoundHint')}>
      <Button component={Link} to="/" variant="default">
        {t('nav.home')}
      </Button>
    </Empty>
  );
}
