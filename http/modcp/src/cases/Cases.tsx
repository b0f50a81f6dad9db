import { Button, NativeSelect } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { Beginning } from '../board/Beginning';
import { EmptyBoard, NoMatch } from '../board/EmptyBoard';
import { EscalatedToMe } from '../board/EscalatedToMe';
import { FilterBar } from '../board/FilterBar';
import { caseSorts, isNarrowed, type BoardFilters } from '../board/filters';
import { HolderFilter } from '../board/HolderFilter';
import { Pager } from '../board/Pager';
import { TeamLine } from '../board/TeamLine';
import boardClasses from '../board/Board.module.css';
import { useBoardFilters } from '../board/useBoardFilters';
import { useSplitFromList } from '../board/useSplitFromList';
import { useI18n } from '../i18n/I18n';
import { bind } from '../keyboard/shortcuts';
import { useShortcuts } from '../keyboard/ShortcutProvider';
import { useLive, usePollInterval } from '../live/LiveProvider';
import { Icon } from '../ui/Icon';
import { moveFocus } from '../ui/moveFocus';
import { PageHead } from '../ui/Panel';
import { Failure, Loading } from '../ui/States';
import { useFirstRows } from '../ui/useFirstRows';
import { useTitle } from '../ui/useTitle';
import { casePath } from './caseLinks';
import { caseListOf } from './casesQuery';
import classes from './Cases.module.css';
import { CaseTable } from './CaseTable';
import type { Peeked } from './Peek';
import { NextCaseButton } from './NextCaseButton';
import { ViewSwitch } from './ViewSwitch';

const Peek = lazy(() => import('./Peek').then((m) => ({ default: m.Peek })));

const pollEvery = 20_000;
/** Milliseconds after which the cases show what happened to a report. */
const casesLag = 1_500;

export function Cases() {
  const { t } = useI18n();
  const [filters, change] = useBoardFilters();
  const search = useRef<HTMLInputElement>(null);
  useTitle(t('cases.title'));
  const list = useQuery({
    ...caseListOf(filters),
    placeholderData: keepPreviousData,
    refetchInterval: usePollInterval(pollEvery),
  });
  const { refetch } = list;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useLive((event) => {
    if (event.kind !== 'change' || event.type.startsWith('note_')) return;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void refetch(), casesLag);
  });
  const rows = list.data?.edges ?? [];
  const shown = useFirstRows(rows);
  useSplitFromList();
  const { search: address } = useLocation();
  const [peeked, setPeeked] = useState<Peeked | null>(null);
  useShortcuts(
    bind('cases', {
      next: () => moveFocus('a[data-case]', 1),
      previous: () => moveFocus('a[data-case]', -1),
      search: () => search.current?.focus(),
      peek: () => {
        const row = rows.find(({ target }) => casePath(target, address) === document.activeElement?.getAttribute('href'));
        if (row !== undefined) setPeeked({ target: row.target, link: casePath(row.target, address) });
      },
    }),
  );
  return (
    <div className={boardClasses.board}>
      <PageHead title={t('cases.title')}>
        <ViewSwitch view="cases" />
        <NextCaseButton />
        <Button className={boardClasses.brief} variant="default" leftSection={<Icon name="refresh" size={16} />} onClick={() => void refetch()} loading={list.isFetching && !list.isPending && !list.isPlaceholderData}>
          {t('action.refresh')}
        </Button>
      </PageHead>
      <Beginning />
      <TeamLine ready={list.isSuccess} />
      <EscalatedToMe ready={list.isSuccess} />
      <section className={boardClasses.card} aria-label={t('cases.list')}>
        <div className={classes.head}>
          <HolderFilter filters={filters} change={change} />
          <NativeSelect
            className={classes.order}
            aria-label={t('board.sort')}
            value={filters.caseSort}
            onChange={(event) => change({ caseSort: event.currentTarget.value as BoardFilters['caseSort'] })}
            data={caseSorts.map((value) => ({ value, label: t(`cases.sort.${value}`) }))}
          />
        </div>
        <FilterBar filters={filters} change={change} searchRef={search} clearable={list.data === undefined || rows.length > 0} ordered={false} />
        {list.isPending ? (
          <Loading rows={8} height={34} />
        ) : list.data === undefined ? (
          <Failure title={t('board.failed')} error={list.error} retry={() => void refetch()} />
        ) : rows.length === 0 ? (
          isNarrowed(filters) ? <NoMatch title={t('cases.emptyFiltered')} filters={filters} change={change} /> : <EmptyBoard title={t('cases.empty')} hint={t('cases.emptyHint')} />
        ) : (
          <CaseTable rows={shown} />
        )}
        {list.data !== undefined && rows.length > 0 && shown.length === rows.length && <Pager info={list.data.pageInfo} change={change} shown={rows.length} />}
      </section>
      {peeked !== null && (
        <Suspense>
          <Peek of={peeked} close={() => setPeeked(null)} />
        </Suspense>
      )}
    </div>
  );
}
