import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { listForum, type ForumKind } from '../api/forum';
import { keys } from '../api/queryKeys';
import { useUser } from '../session/useSession';
import { useI18n } from '../i18n/I18n';
import { Icon } from '../ui/Icon';
import { Empty, Failure, Loading } from '../ui/States';
import { useTitle } from '../ui/useTitle';
import { authorOf, titleOf, wordsOf } from './forumContent';
import classes from './Forum.module.css';
import { Notices } from './Notices';
import { BarredNotice } from './OwnStanding';
import { ReportButton } from './ReportButton';

const pageSize = 12;

export function ForumHome() {
  const { t } = useI18n();
  const user = useUser();
  useTitle(t('demo.site'));
  return (
    <>
      <section className={classes.intro}>
        <h1>{t('demo.welcome')}</h1>
        <p>{t('demo.intro')}</p>
        <Steps />
        {user === null && (
          <Button component={Link} to="/sign-in?next=/" mt="md">
            {t('demo.start')}
          </Button>
        )}
      </section>
      <BarredNotice />
      <Notices />
      <div className={classes.grid}>
        <Listing kind="posts" title={t('demo.posts')} />
        <Listing kind="topics" title={t('demo.topics')} brief />
      </div>
    </>
  );
}

/** Steps to try, and which of them this visitor has done. */
function Steps() {
  const { t, number } = useI18n();
  const user = useUser();
  const current = user?.isModerator === true ? 1 : 0;
  const steps = [
    user === null || current > 0 ? t('demo.step1') : t('demo.step1SignedIn', { name: user.name }),
    <>
      {t('demo.step2')} {current === 0 && <Link to="/sign-in?next=/modcp/reports">{t('session.signIn')}</Link>}
    </>,
    t('demo.step3'),
  ];
  return (
    <ol className={classes.steps}>
      {steps.map((step, index) => (
        <li key={index} aria-current={index === current ? 'step' : undefined}>
          <span className={classes.number} aria-hidden="true">
            {index < current ? <Icon name="check" size={15} /> : number(index + 1)}
          </span>
          <span>{step}</span>
        </li>
      ))}
    </ol>
  );
}

function Listing({ kind, title, brief = false }: { kind: ForumKind; title: string; brief?: boolean }) {
  const { t } = useI18n();
  const list = useInfiniteQuery({
    queryKey: keys.forum(kind, 'list'),
    queryFn: ({ pageParam, signal }) => listForum(kind, { first: pageSize, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => (page.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? undefined) : undefined),
  });
  const items = list.data?.pages.flatMap((page) => page.edges) ?? [];
  return (
    <section aria-labelledby={`forum-${kind}`}>
      <h2 id={`forum-${kind}`} className={classes.heading}>
        {title}
      </h2>
      <div className={classes.list}>
        {list.isPending ? (
          <Loading rows={5} />
        ) : list.data === undefined ? (
          <Failure error={list.error} retry={() => void list.refetch()} collection />
        ) : items.length === 0 ? (
          <Empty icon="forum" title={t('demo.empty')} />
        ) : (
          <ul className={classes.list} style={{ border: 0 }}>
            {items.map((item) => {
              const author = authorOf(item);
              return (
                <li key={item.id} className={classes.item}>
                  <div className={classes.content}>
                    <Link to={`/forum/${kind}/${encodeURIComponent(item.id)}`} className={classes.title} dir="auto">
                      {titleOf(item) || wordsOf(item).slice(0, 80) || t('board.untitled')}
                    </Link>
                    {!brief && (
                      <p className={classes.body} dir="auto">
                        {wordsOf(item)}
                      </p>
                    )}
                    {author !== '' && <p className={classes.meta}>{t('demo.by', { name: author })}</p>}
                  </div>
                  <ReportButton kind={kind} id={item.id} title={titleOf(item)} />
                </li>
              );
            })}
          </ul>
        )}
        {list.hasNextPage && (
          <div className={classes.more}>
            <Button variant="default" size="compact-md" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              {t('action.more')}
            </Button>
          </div>
        )}
      </div>
    </section>
  );
}
