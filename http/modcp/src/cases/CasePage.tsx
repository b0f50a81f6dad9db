import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import { keys } from '../api/queryKeys';
import { listReports, readReport } from '../api/reports';
import type { Report } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { bind } from '../keyboard/shortcuts';
import { useShortcuts } from '../keyboard/ShortcutProvider';
import { useLive } from '../live/LiveProvider';
import { ContentPanel } from '../report/ContentPanel';
import { EvidencePanel } from '../report/evidence/EvidencePanel';
import { Icon } from '../ui/Icon';
import { nextCursor } from '../ui/ListFrame';
import { PageHead } from '../ui/Panel';
import { Empty, Failure, Loading } from '../ui/States';
import { useTitle } from '../ui/useTitle';
import { CaseDecision } from './CaseDecision';
import classes from './Cases.module.css';
import { CaseReports } from './CaseReports';
import { NextCaseButton } from './NextCaseButton';

const pageSize = 100;

/** A target with its open reports: what was reported, by whom and why, and one decision for all. */
export function CasePage() {
  const { plugin = '', type = '', id = '' } = useParams();
  const [params] = useSearchParams();
  const { t } = useI18n();
  const navigate = useNavigate();
  const reports = useInfiniteQuery({
    queryKey: keys.caseReports(`${plugin}/${type}/${id}`),
    queryFn: ({ pageParam, signal }) =>
      listReports({ pluginId: plugin, targetType: type, targetId: id, status: 'new,in_progress', order: 'asc', first: pageSize, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: nextCursor,
  });
  const { refetch } = reports;
  const rows = useMemo(() => reports.data?.pages.flatMap((page) => page.edges) ?? [], [reports.data]);
  const first = rows[0];
  // The evidence is that of the first report; the others tell where theirs differs.
  const shown = useQuery({
    queryKey: keys.report(first?.id ?? ''),
    queryFn: ({ signal }) => readReport(first!.id, signal),
    enabled: first !== undefined,
  });
  useTitle(first?.title ?? t('cases.case'));
  useLive((event) => {
    if (event.kind === 'change' && (event.type === 'created' || rows.some((row) => row.id === event.reportId))) void refetch();
  });

  const list = { pathname: '/modcp/cases', search: params.toString() };
  const [asked, setAsked] = useState<'resolve' | 'hide' | 'unhide' | null>(null);
  useShortcuts(
    bind('case', {
      hide: () => setAsked('hide'),
      restore: () => setAsked('unhide'),
      resolve: () => setAsked('resolve'),
      board: () => void navigate(list),
    }),
  );

  if (reports.isPending || (first !== undefined && shown.isPending)) return <Loading rows={9} height={26} />;
  if (reports.data === undefined) return <Failure error={reports.error} retry={() => void refetch()} />;
  if (first === undefined) {
    return (
      <Empty page title={t('cases.decided')} hint={t('cases.decidedHint')}>
        <NextCaseButton />
        <Button component={Link} to={list} variant="default">
          {t('key.toCases')}
        </Button>
      </Empty>
    );
  }
  const total = reports.data.pages[0]?.pageInfo.totalCount ?? rows.length;
  return (
    <div className={classes.case}>
      <PageHead title={<bdi>{first.title === null || first.title === '' ? t('board.untitled') : first.title}</bdi>} hint={t('cases.openReports', { count: total })}>
        <Button component={Link} to={list} variant="default" leftSection={<Icon name="chevronLeft" size={16} />}>
          {t('cases.title')}
        </Button>
        <NextCaseButton />
      </PageHead>
      <div className={classes.page}>
        <div className={classes.column}>
          {shown.data !== undefined && <CaseEvidence report={shown.data} />}
          <CaseReports rows={rows} first={first} total={total} more={reports.hasNextPage ? () => void reports.fetchNextPage() : null} loading={reports.isFetchingNextPage} />
        </div>
        <div className={classes.column}>
          {shown.data !== undefined && <CaseDecision report={shown.data} rows={rows} asked={asked} taken={() => setAsked(null)} list={list} changed={() => void refetch()} />}
        </div>
      </div>
    </div>
  );
}

function CaseEvidence({ report }: { report: Report }) {
  return (
    <>
      <ContentPanel report={report} />
      <EvidencePanel key={report.id} report={report} />
    </>
  );
}
