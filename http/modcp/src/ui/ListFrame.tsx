import { Button, Group } from '@mantine/core';
import type { UseInfiniteQueryResult, InfiniteData } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Page } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { Failure, Loading } from './States';

/** The states that every list has: loading, refused, not there, empty, and more to load. */
export function ListFrame<T>({ list, empty, children }: { list: UseInfiniteQueryResult<InfiniteData<Page<T>>>; empty: ReactNode; children: (rows: T[]) => ReactNode }) {
  const { t } = useI18n();
  if (list.isPending) return <Loading rows={6} />;
  if (list.data === undefined) return <Failure error={list.error} retry={() => void list.refetch()} collection />;
  const rows = list.data.pages.flatMap((page) => page.edges);
  if (rows.length === 0) return empty;
  return (
    <>
      {children(rows)}
      {list.hasNextPage && (
        <Group justify="center" mt="sm">
          <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {t('action.more')}
          </Button>
        </Group>
      )}
    </>
  );
}

export const nextCursor = <T,>(page: Page<T>): string | undefined => (page.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? undefined) : undefined);
