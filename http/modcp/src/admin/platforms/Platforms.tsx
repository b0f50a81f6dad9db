import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { listPlatforms, type Platform } from '../../api/platforms';
import { keys } from '../../api/queryKeys';
import { useI18n } from '../../i18n/I18n';
import { DataTable } from '../../ui/DataTable';
import { Icon } from '../../ui/Icon';
import { ListFrame, nextCursor } from '../../ui/ListFrame';
import { PageHead } from '../../ui/Panel';
import { Empty } from '../../ui/States';
import { useTitle } from '../../ui/useTitle';
import { When } from '../../ui/When';
import classes from '../shared/Admin.module.css';
import { Named } from '../shared/Named';
import { useNames } from '../shared/useNames';
import { PlatformState } from './PlatformState';

/** The platforms that hold content elsewhere. */
export function Platforms() {
  const { t } = useI18n();
  const names = useNames();
  useTitle(t('admin.platforms'));
  const list = useInfiniteQuery({
    queryKey: keys.platforms,
    queryFn: ({ pageParam, signal }) => listPlatforms({ first: 50, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: nextCursor,
    refetchInterval: 10_000,
  });
  const add = (
    <Button component={Link} to="/admin/core/platforms/new" leftSection={<Icon name="plus" size={16} />}>
      {t('platforms.connect')}
    </Button>
  );
  return (
    <>
      <PageHead title={t('admin.platforms')} hint={t('platforms.hint')}>
        {list.isSuccess && add}
      </PageHead>
      <ListFrame list={list} empty={<Empty icon="globe" title={t('platforms.empty')} hint={t('platforms.emptyHint')} />}>
        {(platforms: Platform[]) => (
          <DataTable
            label={t('admin.platforms')}
            rows={platforms}
            rowKey={(platform) => `${platform.source}:${platform.id}`}
            columns={[
              {
                key: 'id',
                title: t('platforms.platform'),
                cell: (platform) => (
                  <div>
                    <Named text={names.plugin(platform.id)} name={platform.id} />
                    <div className={classes.muted} dir="auto">
                      {platform.types.join(', ')}
                    </div>
                    {platform.source === 'file' && <div className={classes.muted}>{t('platforms.ofFile')}</div>}
                  </div>
                ),
              },
              { key: 'state', title: t('platforms.state'), cell: (platform) => <PlatformState platform={platform} /> },
              { key: 'good', title: t('platforms.lastGood'), end: true, cell: (platform) => (platform.lastGood === null ? t('admin.never') : <When iso={platform.lastGood} />) },
              {
                key: 'fault',
                title: t('platforms.lastFault'),
                minor: true,
                cell: (platform) =>
                  platform.lastFault === null ? null : (
                    <div className={classes.muted}>
                      <When iso={platform.lastFault.at} /> <bdi>{platform.lastFault.path}</bdi>
                    </div>
                  ),
              },
              {
                key: 'actions',
                title: t('admin.action'),
                actions: true,
                cell: (platform) => (
                  <Button component={Link} to={`/admin/core/platforms/edit/${platform.id}`} size="compact-md" variant="default" aria-label={t('platforms.openOf', { id: platform.id })}>
                    {t('platforms.open')}
                  </Button>
                ),
              },
            ]}
          />
        )}
      </ListFrame>
    </>
  );
}
