import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { keys } from '../../api/queryKeys';
import { listRules, type Rule } from '../../api/rules';
import { useI18n } from '../../i18n/I18n';
import { DataTable } from '../../ui/DataTable';
import { Icon } from '../../ui/Icon';
import { ListFrame, nextCursor } from '../../ui/ListFrame';
import { PageHead } from '../../ui/Panel';
import { Empty } from '../../ui/States';
import { useTitle } from '../../ui/useTitle';
import { When } from '../../ui/When';
import shared from '../shared/Admin.module.css';
import { Named } from '../shared/Named';
import { ModeTag } from './RuleMode';
import { useThenText } from './useThenText';

/** The automated rules, those that are retired too. */
export function Rules() {
  const { t } = useI18n();
  const thenText = useThenText();
  useTitle(t('admin.rules'));
  const list = useInfiniteQuery({
    queryKey: keys.rules,
    queryFn: ({ pageParam, signal }) => listRules({ first: 50, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: nextCursor,
  });
  return (
    <>
      <PageHead title={t('admin.rules')} hint={t('auto.hint')}>
        <Button component={Link} to="backtests" variant="default" leftSection={<Icon name="history" size={16} />}>
          {t('backtest.all')}
        </Button>
        <Button component={Link} to="new" leftSection={<Icon name="plus" size={16} />}>
          {t('auto.new')}
        </Button>
      </PageHead>
      <ListFrame list={list} empty={<Empty icon="filter" title={t('auto.empty')} hint={t('auto.emptyHint')} />}>
        {(rules: Rule[]) => (
          <DataTable
            label={t('admin.rules')}
            rows={rules}
            rowKey={({ key }) => key}
            columns={[
              {
                key: 'title',
                title: t('auto.title'),
                cell: ({ key, title }) => (
                  <Link to={`edit/${key}`} className={shared.name}>
                    <Named text={title} name={key} />
                  </Link>
                ),
              },
              { key: 'mode', title: t('auto.mode'), cell: (rule) => <ModeTag of={rule} /> },
              { key: 'then', title: t('auto.then'), cell: ({ then }) => thenText(then) },
              { key: 'version', title: t('auto.version'), end: true, minor: true, cell: ({ version }) => version },
              { key: 'published', title: t('auto.published'), end: true, cell: ({ publishedAt }) => <When iso={publishedAt} /> },
            ]}
          />
        )}
      </ListFrame>
    </>
  );
}
