import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { keys } from '../api/queryKeys';
import { listPolicies } from '../api/policies';
import { useI18n } from '../i18n/I18n';
import { Words } from '../richtext/Words';
import { nextCursor } from '../ui/ListFrame';
import { Empty } from '../ui/States';
import classes from './Forum.module.css';
import { ForumListPage } from './ForumListPage';

/** The rules in force, for everybody. An address with `#key` leads to one of them. */
export function ForumRules() {
  const { t, date } = useI18n();
  const { hash } = useLocation();
  const list = useInfiniteQuery({
    queryKey: [...keys.policies, 'public'],
    queryFn: ({ pageParam, signal }) => listPolicies({ first: 50, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: nextCursor,
  });
  const loaded = list.data !== undefined;
  useEffect(() => {
    if (loaded && hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash, loaded]);
  return (
    <ForumListPage title={t('rules.title')} hint={t('rules.hint')} list={list} empty={<Empty icon="book" title={t('rules.empty')} />}>
      {(rules) =>
        rules.map((rule) => (
          <article key={rule.key} id={rule.key} className={classes.rule}>
            <h2 dir="auto">{rule.title}</h2>
            <Words body={rule.text} />
            <p className={classes.meta}>{t('rules.since', { version: rule.version, date: date(rule.publishedAt) })}</p>
          </article>
        ))
      }
    </ForumListPage>
  );
}
