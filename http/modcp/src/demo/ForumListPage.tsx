import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Page } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { Icon } from '../ui/Icon';
import { ListFrame } from '../ui/ListFrame';
import { useTitle } from '../ui/useTitle';
import classes from './Forum.module.css';

interface Props<T> {
  title: string;
  hint: string;
  list: UseInfiniteQueryResult<InfiniteData<Page<T>>>;
  empty: ReactNode;
  /** What stands above the list. */
  above?: ReactNode;
  children: (rows: T[]) => ReactNode;
}

/** A page of the demo site that holds one list, with the way back to the forum. */
export function ForumListPage<T>({ title, hint, list, empty, above, children }: Props<T>) {
  const { t } = useI18n();
  useTitle(title);
  return (
    <>
      <Link to="/" className={classes.back}>
        <Icon name="chevronLeft" size={15} /> {t('nav.forum')}
      </Link>
      <section className={classes.intro}>
        <h1>{title}</h1>
        <p>{hint}</p>
      </section>
      {above}
      <ListFrame list={list} empty={empty}>
        {children}
      </ListFrame>
    </>
  );
}
