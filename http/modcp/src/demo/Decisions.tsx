import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { keys } from '../api/keys';
import { listDecisions } from '../api/memberDecisions';
import { AppealTag } from '../appeals/AppealTag';
import { useI18n } from '../i18n/I18n';
import { Icon } from '../ui/Icon';
import { Empty, Failure, Loading } from '../ui/States';
import { ResolutionTag, Tag } from '../ui/Tag';
import { useTitle } from '../ui/useTitle';
import { When } from '../ui/When';
import classes from './Forum.module.css';

/** What was decided about the member's own content and reports. */
export function Decisions() {
  const { t, label } = useI18n();
  useTitle(t('decisions.title'));
  const list = useInfiniteQuery({
    queryKey: keys.decisions,
    queryFn: ({ pageParam, signal }) => listDecisions({ first: 25, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => (page.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? undefined) : undefined),
  });
  const rows = list.data?.pages.flatMap((page) => page.edges) ?? [];
  return (
    <>
      <Link to="/" className={classes.back}>
        <Icon name="chevronLeft" size={15} /> {t('nav.forum')}
      </Link>
      <section className={classes.intro}>
        <h1>{t('decisions.title')}</h1>
        <p>{t('decisions.hint')}</p>
      </section>
      {list.isPending ? (
        <Loading rows={5} />
      ) : list.data === undefined ? (
        <Failure error={list.error} retry={() => void list.refetch()} collection />
      ) : rows.length === 0 ? (
        <Empty icon="scales" title={t('decisions.empty')} />
      ) : (
        <ul className={classes.list}>
          {rows.map((row) => (
            <li key={row.id} className={classes.item}>
              <div className={classes.content}>
                <Link to={`/decisions/${row.id}`} className={classes.title} dir="auto">
                  {row.title === '' ? t('board.untitled') : row.title}
                </Link>
                {row.excerpt !== '' && (
                  <p className={classes.body} dir="auto">
                    {row.excerpt}
                  </p>
                )}
                <p className={classes.meta}>
                  {label(row.target.label)} · {t(`decisions.role.${row.role}`)}
                  {row.decision !== null && (
                    <>
                      {' · '}
                      <When iso={row.decision.decidedAt} />
                    </>
                  )}
                </p>
              </div>
              <div className={classes.state}>
                {row.decision === null ? <Tag tone="blue">{t('decisions.withdrawn')}</Tag> : <ResolutionTag resolution={row.decision.resolution} />}
                {row.appeal !== null && (
                  <>
                    <span className={classes.decided}>{t('decisions.appeal')}</span> <AppealTag status={row.appeal.status} />
                  </>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <div className={classes.more}>
          <Button variant="default" size="compact-md" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {t('action.more')}
          </Button>
        </div>
      )}
    </>
  );
}
