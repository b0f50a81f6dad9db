import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { asApiError } from '../api/http';
import { claimReport, readReport } from '../api/reports';
import type { ReportItem } from '../api/types';
import { BulkActions } from '../bulk/BulkActions';
import { useBulk, type BulkKind } from '../bulk/BulkProvider';
import { useI18n } from '../i18n/I18n';
import { useCommands } from '../keyboard/CommandProvider';
import { bind } from '../keyboard/shortcuts';
import { useShortcuts } from '../keyboard/ShortcutProvider';
import { useAnnounce } from '../ui/Announcer';
import { Icon } from '../ui/Icon';
import { moveFocus } from '../ui/moveFocus';
import { PageHead } from '../ui/Panel';
import { Failure, Loading } from '../ui/States';
import { useToasts } from '../ui/Toasts';
import { useErrorText } from '../ui/useErrorText';
import { useFirstRows } from '../ui/useFirstRows';
import { useTitle } from '../ui/useTitle';
import { Beginning } from './Beginning';
import classes from './Board.module.css';
import { EmptyBoard, NoMatch } from './EmptyBoard';
import { defaultFilters, isNarrowed } from './filters';
import { EscalatedToMe } from './EscalatedToMe';
import { FilterBar } from './FilterBar';
import { HolderFilter } from './HolderFilter';
import { storeReport } from './listCache';
import { Pager } from './Pager';
import { ReportTable } from './ReportTable';
import { StatusTabs } from './StatusTabs';
import { TeamLine } from './TeamLine';
import { useBoardData } from './useBoardData';
import { useBoardFilters } from './useBoardFilters';
import { useSplitFromList } from './useSplitFromList';
import { SavedViews } from './SavedViews';
import { NextCaseButton } from '../cases/NextCaseButton';
import { ViewSwitch } from '../cases/ViewSwitch';

export function Board() {
  const { t } = useI18n();
  const [filters, change] = useBoardFilters();
  const { list, counts, arrived, refresh } = useBoardData(filters);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const search = useRef<HTMLInputElement>(null);
  const rows = list.data?.edges ?? [];
  const shown = useFirstRows(rows);
  const chosen = rows.filter((row) => selected.has(row.id)).length;
  const announce = useAnnounce();
  useTitle(t('board.title'));

  useEffect(() => {
    if (arrived > 0) announce(t('board.arrived', { count: arrived }));
  }, [arrived, announce, t]);

  useSplitFromList();
  const actions = useRowActions(rows, selected, () => setSelected(new Set()));
  useShortcuts(
    bind('board', {
      next: () => moveRow(1),
      previous: () => moveRow(-1),
      search: () => search.current?.focus(),
      select: () => withFocused((id) => setSelected((current) => toggled(current, id))),
      claim: () => actions.start('claim', focusedId()),
      assign: () => actions.start('assign', focusedId()),
      resolve: () => actions.start('resolve', focusedId()),
    }),
  );
  useCommands([
    { id: 'board-refresh', title: t('action.refresh'), run: refresh },
    ...(isNarrowed(filters) ? [{ id: 'board-clear', title: t('board.clearFilters'), run: () => change({ ...defaultFilters, status: filters.status }) }] : []),
  ]);

  const total = list.data?.pageInfo.totalCount;
  return (
    <div className={classes.board}>
      <PageHead title={t('board.title')} hint={total === null || total === undefined ? undefined : list.data?.pageInfo.totalCountCapped === true ? t('page.totalCapped', { count: total }) : t('page.total', { count: total })}>
        <ViewSwitch view="reports" />
        <NextCaseButton />
        <SavedViews filters={filters} />
        <Button className={classes.brief} variant="default" leftSection={<Icon name="refresh" size={16} />} onClick={refresh} loading={list.isFetching && !list.isPending && !list.isPlaceholderData}>
          {t('action.refresh')}
        </Button>
      </PageHead>
      <Beginning />
      <TeamLine ready={list.isSuccess} />
      <EscalatedToMe ready={list.isSuccess} />
      <section className={classes.card} aria-label={t('board.list')}>
        <div className={classes.bar}>
          <StatusTabs filters={filters} counts={counts.data} />
          <HolderFilter filters={filters} change={change} />
        </div>
        <FilterBar filters={filters} change={change} searchRef={search} clearable={list.data === undefined || rows.length > 0} />
        <div className={classes.results} data-stale={list.isPlaceholderData || undefined} aria-busy={list.isFetching}>
          {arrived > 0 && (
            <div className={classes.arrived}>
              <Button
                size="compact-md"
                radius="xl"
                leftSection={<Icon name="bolt" size={15} />}
                onClick={refresh}
              >
                {t('board.arrived', { count: arrived })} · {t('board.arrivedShow')}
              </Button>
            </div>
          )}
          {list.isPending ? (
            <Loading rows={8} height={34} />
          ) : list.data === undefined ? (
            <Failure title={t('board.failed')} error={list.error} retry={() => void list.refetch()} />
          ) : rows.length === 0 ? (
            isNarrowed(filters) ? (
              <NoMatch title={t('board.emptyFiltered')} filters={filters} change={change} />
            ) : (
              <EmptyBoard title={t('board.empty')} hint={t('board.emptyHint')} />
            )
          ) : (
            <ReportTable rows={shown} filters={filters} selected={selected} setSelected={setSelected} />
          )}
          {list.data !== undefined && list.isError && (
            <p role="status" className={classes.old}>
              <Icon name="warning" size={15} /> {t('state.offline')}. {t('state.offlineHint')}
            </p>
          )}
        </div>
        {list.data !== undefined && rows.length > 0 && shown.length === rows.length && <Pager info={list.data.pageInfo} change={change} shown={rows.length} />}
      </section>
      {chosen > 0 && <BulkActions count={chosen} start={(kind) => actions.start(kind, null)} clear={() => setSelected(new Set())} />}
    </div>
  );
}

function toggled(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(id)) next.add(id);
  return next;
}

function focusedId(): string | null {
  const row = document.activeElement?.closest<HTMLElement>('[data-row]');
  return row?.dataset.row ?? null;
}

/** From any control of a row. */
const moveRow = (step: 1 | -1) => moveFocus('a[data-report]', step, document.activeElement?.closest('[data-row]')?.querySelector('a[data-report]'));

function withFocused(run: (id: string) => void): void {
  const id = focusedId();
  if (id !== null) run(id);
}

/** Starts an action on the selection or, without one, on the row that has the focus. */
function useRowActions(rows: ReportItem[], selected: ReadonlySet<string>, clear: () => void) {
  const { t } = useI18n();
  const bulk = useBulk();
  const client = useQueryClient();
  const toasts = useToasts();
  const errorText = useErrorText();
  const navigate = useNavigate();
  const location = useLocation();

  const claimOne = useCallback(
    async (row: ReportItem) => {
      try {
        storeReport(client, await claimReport(row.id, row.version));
        toasts.show({
          text: t('report.claimed'),
        });
      } catch (error) {
        toasts.show({ text: errorText(asApiError(error)), tone: 'error' });
        readReport(row.id).then((report) => storeReport(client, report), () => {});
      }
    },
    [client, errorText, t, toasts],
  );

  const start = (kind: BulkKind, focused: string | null) => {
    const chosen = rows.filter((row) => selected.has(row.id));
    const only = rows.find((row) => row.id === focused);
    if (chosen.length === 0 && only !== undefined) {
      if (kind === 'claim') void claimOne(only);
      else void navigate(`/modcp/reports/${only.id}${location.search}`, { state: { start: kind } });
    } else if (chosen.length > 0) {
      bulk.open(kind, chosen.map((row) => ({ id: row.id, title: row.title, excerpt: row.excerpt })), clear);
    }
  };
  return { start };
}
