import { useInfiniteQuery } from '@tanstack/react-query';
import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { Link, useLocation } from 'react-router';
import { keys } from '../api/keys';
import { listPolicies } from '../api/policies';
import { useI18n } from '../i18n/I18n';
import { Words } from '../richtext/Words';
import { Icon } from '../ui/Icon';
import { Empty, Failure, Loading } from '../ui/States';
import { useTitle } from '../ui/useTitle';
import classes from './Forum.module.css';

/** The rules in force, for everybody. An address with `#key` leads to one of them. */
export function Rules() {
  const { t, date } = useI18n();
  const { hash } = useLocation();
  useTitle(t('rules.title'));
  const list = useInfiniteQuery({
    queryKey: [...keys.policies, 'public'],
    queryFn: ({ pageParam, signal }) => listPolicies({ first: 50, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => (page.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? undefined) : undefined),
  });
  const rules = list.data?.pages.flatMap((page) => page.edges) ?? [];
  const loaded = rules.length > 0;
  useEffect(() => {
    if (loaded && hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash, loaded]);
  return (
    <>
      <Link to="/" className={classes.back}>
        <Icon name="chevronLeft" size={15} /> {t('nav.forum')}
      </Link>
      <section className={classes.intro}>
        <h1>{t('rules.title')}</h1>
        <p>{t('rules.hint')}</p>
      </section>
      {list.isPending ? (
        <Loading rows={6} />
      ) : list.data === undefined ? (
        <Failure error={list.error} retry={() => void list.refetch()} collection />
      ) : rules.length === 0 ? (
        <Empty icon="book" title={t('rules.empty')} />
      ) : (
        rules.map((rule) => (
          <article key={rule.key} id={rule.key} className={classes.rule}>
            <h2 dir="auto">{rule.title}</h2>
            <Words body={rule.text} />
            <p className={classes.meta}>{t('rules.since', { version: rule.version, date: date(rule.publishedAt) })}</p>
          </article>
        ))
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
