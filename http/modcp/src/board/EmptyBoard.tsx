import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { systemQuery } from '../api/system';
import { useI18n } from '../i18n/I18n';
import { useUser } from '../session/useSession';
import { Empty } from '../ui/States';
import { defaultFilters, type BoardFilters } from './filters';

/** A board without reports. Whoever can do something about it is told when nothing to moderate is declared. */
export function EmptyBoard({ title, hint }: { title: string; hint: string }) {
  const { t } = useI18n();
  const admin = useUser()?.isAdmin === true;
  const system = useQuery({ ...systemQuery, enabled: admin, retry: false });
  if (system.data?.checks.some((check) => check.name === 'platforms' && check.code === 'none') !== true) return <Empty title={title} hint={hint} />;
  return (
    <Empty icon="link" title={t('board.nothingDeclared')} hint={t('board.nothingDeclaredHint')}>
      <Button component={Link} to="/admin/core/platforms" variant="default">
        {t('firstSteps.platforms')}
      </Button>
    </Empty>
  );
}

/** A list of which the filters leave nothing. */
export function NoMatch({ title, filters, change }: { title: string; filters: BoardFilters; change: (next: Partial<BoardFilters>) => void }) {
  const { t } = useI18n();
  return (
    <Empty icon="search" title={title} hint={t('board.emptyFilteredHint')}>
      <Button variant="default" onClick={() => change({ ...defaultFilters, status: filters.status })}>
        {t('board.clearFilters')}
      </Button>
    </Empty>
  );
}
