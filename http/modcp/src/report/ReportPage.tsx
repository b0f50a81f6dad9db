import { Button } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import { Link, useLocation, useNavigate, useParams, useSearchParams } from 'react-router';
import { asApiError } from '../api/http';
import type { Decision } from '../api/reports';
import { readFilters } from '../board/filters';
import { useI18n } from '../i18n/I18n';
import { useCommands } from '../keyboard/Commands';
import { useShortcuts } from '../keyboard/Shortcuts';
import { Empty, Failure, Loading } from '../ui/States';
import { readSetting, writeSetting } from '../ui/settings';
import { useTitle } from '../ui/useTitle';
import { Activity } from './Activity';
import { mayAct, offers, resolveKey, runnable } from './changes';
import { ChangeNotice } from './ChangeNotice';
import { ContentPanel } from './ContentPanel';
import { useDecisions } from './Decisions';
import { Evidence } from './Evidence';
import { InReach } from './InReach';
import { Related } from './Related';
import { ReportFacts } from './ReportFacts';
import { ReportHeader } from './ReportHeader';
import classes from './ReportPage.module.css';
import { actionLabel, useReportCommands } from './useCommands';
import { usePresence } from './usePresence';
import { useReport } from './useReport';
import { useWalk } from './useWalk';
import { WorkPanel, type WorkForm } from './WorkPanel';

export function ReportPage() {
  const { id = '' } = useParams();
  const [params] = useSearchParams();
  const filters = useMemo(() => readFilters(params), [params]);
  const { t } = useI18n();
  const navigate = useNavigate();
  const location = useLocation();
  const open = useReport(id);
  const commands = useReportCommands(open);
  const walk = useWalk(id, filters);
  const viewers = usePresence(id);
  const [form, setForm] = useState<WorkForm | null>(null);
  const [advance, setAdvanceState] = useState(() => readSetting('advance') === 'on');
  const report = open.query.data;
  useTitle(report?.snapshot?.title ?? t('report.title'));

  const startWith = (location.state as { start?: WorkForm } | null)?.start;
  useEffect(() => setForm(startWith ?? null), [id, startWith]);

  const setAdvance = (next: boolean) => {
    writeSetting('advance', next ? 'on' : 'off');
    setAdvanceState(next);
  };

  const decide = (decision: Decision) => {
    if (!commands.resolve(decision)) return;
    setForm(null);
    if (advance) void walk.go(1);
  };

  // A refused decision shows what changed, and its draft once more.
  const { refusals, shown } = useDecisions();
  const refusal = refusals.get(id);
  const { refused } = commands;
  useEffect(() => {
    if (refusal === undefined || report === undefined) return;
    shown(id);
    if (refusal.status !== 409) return;
    void refused(refusal);
    setForm('resolve');
  }, [id, refusal, refused, report, shown]);

  const board = { pathname: '/modcp/reports', search: params.toString() };
  const start = (next: WorkForm) => {
    if (report !== undefined && (next === 'note' || (commands.pending === null && offers(report, next)))) setForm(next);
  };
  const first = report === undefined ? undefined : runnable(report)[0];

  useShortcuts({
    j: () => void walk.go(1),
    k: () => void walk.go(-1),
    b: () => void navigate(board),
    c: () => {
      if (report !== undefined && offers(report, 'claim')) void commands.claim();
    },
    a: () => start('assign'),
    n: () => start('note'),
    r: () => start(report !== undefined && offers(report, 'reopen') ? 'reopen' : 'resolve'),
    h: () => {
      if (first !== undefined) void commands.act(first.name);
    },
  });

  useCommands([
    ...(report === undefined
      ? []
      : [
          ...(offers(report, 'claim') ? [{ id: 'claim', title: t('move.claim'), hint: 'c', run: () => void commands.claim() }] : []),
          ...(offers(report, 'unassign') ? [{ id: 'unassign', title: t('move.unassign'), run: () => void commands.unassign() }] : []),
          ...(['assign', 'resolve', 'reopen'] as const)
            .filter((move) => offers(report, move))
            .map((move) => ({ id: move, title: t(move === 'resolve' ? resolveKey(report) : `move.${move}`), hint: move === 'resolve' && offers(report, 'reopen') ? undefined : move[0], run: () => start(move) })),
          ...runnable(report).map((action) => ({ id: action.name, title: actionLabel(t, action.name), run: () => void commands.act(action.name) })),
          { id: 'copy-link', title: t('report.copyLink'), run: () => void navigator.clipboard?.writeText(window.location.origin + window.location.pathname) },
        ]),
    { id: 'back-to-board', title: t('key.board'), hint: 'b', run: () => void navigate(board) },
  ]);

  if (open.query.isPending) return <Loading rows={9} height={26} />;
  if (report === undefined) {
    const gone = asApiError(open.query.error).status === 404;
    return gone ? (
      <Empty page icon="search" title={t('report.notFound')} hint={t('report.notFoundHint')}>
        <Button component={Link} to={board} variant="default">
          {t('key.board')}
        </Button>
      </Empty>
    ) : (
      <Failure error={open.query.error} retry={() => void open.query.refetch()} />
    );
  }

  return (
    <div className={classes.page}>
      <div className={classes.main}>
        <div className={classes.top}>
          <ReportHeader report={report} walk={walk} board={board} viewers={viewers} />
          {open.notice !== null && <ChangeNotice notice={open.notice} report={report} close={() => open.setNotice(null)} />}
        </div>
        <ContentPanel report={report} />
        <Evidence key={report.id} report={report} />
        <Related report={report} />
      </div>
      <div key={report.id} className={classes.side}>
        <ReportFacts report={report} />
        <InReach wanted={mayAct(report)}>
          <WorkPanel
            report={report}
            commands={commands}
            form={form === 'note' ? null : form}
            setForm={setForm}
            decide={decide}
            advance={advance}
            setAdvance={setAdvance}
          />
        </InReach>
        <Activity open={open} report={report} commands={commands} noteAsked={form === 'note'} noteTaken={() => setForm(null)} />
      </div>
    </div>
  );
}
