import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link, useParams, useSearchParams, type To } from 'react-router';
import type { CaseTarget } from '../api/cases';
import { keys } from '../api/queryKeys';
import { listReports } from '../api/reports';
import { useI18n } from '../i18n/I18n';
import { useLive } from '../live/LiveProvider';
import { SplitView } from '../report/SplitView';
import type { Walk } from '../report/useWalk';
import { Workplace } from '../report/Workplace';
import { Empty, Failure, Loading } from '../ui/States';
import { NextCaseButton } from './NextCaseButton';
import { caseReportsQuery } from './readAhead';
import { useCaseWalk } from './useCaseWalk';

export function CasePage() {
  const { plugin = '', type = '', id = '' } = useParams();
  const target = { pluginId: plugin, type, id };
  const walk = useCaseWalk(target);
  return (
    <SplitView walk={walk}>
      <OpenCase target={target} walk={walk} />
    </SplitView>
  );
}

/** A target with its open reports, decided together; the evidence is that of the first. */
function OpenCase({ target, walk }: { target: CaseTarget; walk: Walk }) {
  const [params] = useSearchParams();
  const reports = useInfiniteQuery(caseReportsQuery(target));
  const { refetch } = reports;
  const rows = useMemo(() => reports.data?.pages.flatMap((page) => page.edges) ?? [], [reports.data]);
  const first = rows[0];
  useLive((event) => {
    if (event.kind === 'change' && (event.type === 'created' || rows.some((row) => row.id === event.reportId))) void refetch();
  });
  const list = { pathname: '/modcp/cases', search: params.toString() };

  if (reports.isPending) return <Loading rows={9} height={26} screen />;
  if (reports.data === undefined) return <Failure error={reports.error} retry={() => void refetch()} />;
  if (first === undefined) return <NothingOpen target={target} list={list} />;
  const together = {
    rows,
    total: reports.data.pages[0]?.pageInfo.totalCount ?? rows.length,
    draft: `case:${target.type}:${target.id}:decision`,
    more: reports.hasNextPage ? () => void reports.fetchNextPage() : null,
    loading: reports.isFetchingNextPage,
  };
  return <Workplace id={first.id} together={together} walk={walk} list={list} />;
}

/** Content without open reports: they are decided, or there never was one. */
function NothingOpen({ target: { pluginId, type, id }, list }: { target: CaseTarget; list: To }) {
  const { t } = useI18n();
  const any = useQuery({
    queryKey: [...keys.caseReports(`${pluginId}/${type}/${id}`), 'any'],
    queryFn: ({ signal }) => listReports({ pluginId, targetType: type, targetId: id, muted: 'any', first: 1 }, signal),
  });
  if (any.isPending) return <Loading />;
  const decided = (any.data?.edges.length ?? 0) > 0;
  return (
    <Empty page icon={decided ? 'check' : 'search'} title={t(decided ? 'cases.decided' : 'cases.none')} hint={t(decided ? 'cases.decidedHint' : 'cases.noneHint')}>
      <NextCaseButton />
      <Button component={Link} to={list} variant="default">
        {t('key.toCases')}
      </Button>
    </Empty>
  );
}
