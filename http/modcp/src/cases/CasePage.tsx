import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { Link, useNavigate, useParams, useSearchParams, type To } from 'react-router';
import { keys } from '../api/queryKeys';
import { listReports } from '../api/reports';
import type { ReportItem, TargetRef } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { shortcuts } from '../keyboard/shortcuts';
import { useShortcuts } from '../keyboard/ShortcutProvider';
import { useLive } from '../live/LiveProvider';
import { ChangeNotice } from '../report/ChangeNotice';
import { ContentPanel } from '../report/ContentPanel';
import { EvidencePanel } from '../report/evidence/EvidencePanel';
import { Activity } from '../report/timeline/Activity';
import { usePresence } from '../report/usePresence';
import { useReport } from '../report/useReport';
import { Viewers } from '../report/Viewers';
import { useReportCommands } from '../report/work/useReportCommands';
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
  useTitle(first?.title ?? t('cases.case'));
  useLive((event) => {
    if (event.kind === 'change' && (event.type === 'created' || rows.some((row) => row.id === event.reportId))) void refetch();
  });

  const list = { pathname: '/modcp/cases', search: params.toString() };
  useShortcuts({ [shortcuts.case.board.key]: () => void navigate(list) });

  if (reports.isPending) return <Loading rows={9} height={26} />;
  if (reports.data === undefined) return <Failure error={reports.error} retry={() => void refetch()} />;
  if (first === undefined) return <NothingOpen target={{ pluginId: plugin, type, id }} list={list} />;
  const total = reports.data.pages[0]?.pageInfo.totalCount ?? rows.length;
  return <OpenCase rows={rows} first={first} total={total} list={list} more={reports.hasNextPage ? () => void reports.fetchNextPage() : null} loading={reports.isFetchingNextPage} changed={() => void refetch()} />;
}

/** Content without open reports: they are decided, or there never was one. */
function NothingOpen({ target: { pluginId, type, id }, list }: { target: Pick<TargetRef, 'pluginId' | 'type' | 'id'>; list: To }) {
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

interface OpenCaseProps {
  rows: ReportItem[];
  first: ReportItem;
  total: number;
  list: To;
  more: (() => void) | null;
  loading: boolean;
  changed: () => void;
}

/** The evidence is that of the first report; the others tell where theirs differs. Notes and events are those of all. */
function OpenCase({ rows, first, total, list, more, loading, changed }: OpenCaseProps) {
  const { t } = useI18n();
  const open = useReport(first.id);
  const commands = useReportCommands(open);
  const report = open.query.data;
  const viewers = usePresence(first.id, report !== undefined);
  const [asked, setAsked] = useState<'resolve' | 'hide' | 'unhide' | 'note' | null>(null);
  useShortcuts({
    [shortcuts.case.hide.key]: () => setAsked('hide'),
    [shortcuts.case.restore.key]: () => setAsked('unhide'),
    [shortcuts.case.resolve.key]: () => setAsked('resolve'),
    [shortcuts.case.note.key]: () => setAsked('note'),
  });
  const taken = useCallback(() => setAsked(null), []);
  return (
    <div className={classes.case}>
      <PageHead title={<bdi>{first.title === null || first.title === '' ? t('board.untitled') : first.title}</bdi>} hint={t('cases.openReports', { count: total })}>
        <Viewers people={viewers} />
        <Button component={Link} to={list} variant="default" leftSection={<Icon name="chevronLeft" size={16} />}>
          {t('cases.title')}
        </Button>
        <NextCaseButton />
      </PageHead>
      {report === undefined ? (
        <Loading rows={9} height={26} />
      ) : (
        <div className={classes.page}>
          <div className={classes.column}>
            {open.notice !== null && <ChangeNotice notice={open.notice} report={report} close={() => open.setNotice(null)} />}
            <ContentPanel report={report} />
            <EvidencePanel key={report.id} report={report} />
            <CaseReports rows={rows} first={first} total={total} more={more} loading={loading} />
          </div>
          <div className={classes.column}>
            <CaseDecision report={report} rows={rows} asked={asked === 'note' ? null : asked} taken={taken} list={list} changed={changed} />
            <Activity open={open} report={report} others={rows.slice(1)} commands={commands} noteAsked={asked === 'note'} noteTaken={taken} />
          </div>
        </div>
      )}
    </div>
  );
}
