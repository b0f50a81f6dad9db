import { Button } from '@mantine/core';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { Link, useLocation, useNavigate, useParams, useSearchParams } from 'react-router';
import { asApiError } from '../api/http';
import { readFilters } from '../board/filters';
import { useNextCase } from '../cases/useNextCase';
import { useI18n } from '../i18n/I18n';
import { useCommands } from '../keyboard/CommandProvider';
import { bind, shortcuts } from '../keyboard/shortcuts';
import { useShortcuts } from '../keyboard/ShortcutProvider';
import { Empty, Failure, Loading } from '../ui/States';
import { decisionDraft, writeDraft } from '../storage/drafts';
import { readSetting, writeSetting } from '../storage/settings';
import { useTitle } from '../ui/useTitle';
import { Activity } from './timeline/Activity';
import { mayAct, offers, resolveKey, runnable } from './possibleMoves';
import { ChangeNotice } from './ChangeNotice';
import { ContentPanel } from './ContentPanel';
import { useUser } from '../session/useSession';
import { passes } from '../decision/decisionHold';
import { useVerdicts, type Decide } from '../decision/useVerdicts';
import { useDecisions } from '../decision/DecisionProvider';
import { EvidencePanel } from './evidence/EvidencePanel';
import { DecisionInReach } from './work/DecisionInReach';
import { Related } from './records/Related';
import { ReporterAndReason } from './ReporterAndReason';
import { ReportHeader } from './ReportHeader';
import classes from './ReportPage.module.css';
import { actionLabel } from './work/actionLabel';
import { SimilarPanel } from '../similar/SimilarPanel';
import { useReportCommands } from './work/useReportCommands';
import { usePresence } from './usePresence';
import { useReport } from './useReport';
import { useWalk } from './useWalk';
import type { AdvanceTo, WorkForm } from './work/workForm';
import { WorkPanel } from './work/WorkPanel';

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
  const nextCase = useNextCase();
  const self = useUser();
  const [form, setShownForm] = useState<WorkForm | null>(null);
  const [contested, setContested] = useState(false);
  const setForm = useCallback((next: WorkForm | null, isContested = false) => {
    setShownForm(next);
    setContested(isContested);
  }, []);
  const [advance, setAdvanceState] = useState(() => readSetting('advance') === 'on');
  const [advanceTo, setAdvanceToState] = useState<AdvanceTo>(() => (readSetting('advanceTo') === 'case' ? 'case' : 'report'));
  const report = open.query.data;
  // A decision is held back for a while. Until it is sent, the next case could be this report, unless the user holds it.
  const mine = self !== null && report?.assignee?.id === self.id;
  const viewers = usePresence(id, report !== undefined);
  useTitle(report?.snapshot?.title ?? t('report.title'));

  const startWith = (location.state as { start?: WorkForm } | null)?.start;
  useEffect(() => {
    setForm(startWith ?? null);
  }, [id, setForm, startWith]);

  const setAdvance = (next: boolean) => {
    writeSetting('advance', next ? 'on' : 'off');
    setAdvanceState(next);
  };

  const setAdvanceTo = (next: AdvanceTo) => {
    writeSetting('advanceTo', next);
    setAdvanceToState(next);
  };

  const [filled, setFilled] = useState(0);
  const fillIn: Decide = (decision, action) => {
    writeDraft(decisionDraft(id), { ...decision, action });
    setFilled(filled + 1);
    setForm('resolve');
  };

  const decide: Decide = (decision, action) => {
    if (!commands.resolve(decision, action)) return;
    setForm(null);
    if (advance) void (mine && advanceTo === 'case' ? nextCase() : walk.go(1));
  };

  // A refused decision shows what changed and reopens its draft.
  const { held, drop } = useDecisions();
  const refusal = held.get(id)?.error ?? null;
  const { refused } = commands;
  useEffect(() => {
    if (refusal === null || passes(refusal) || report === undefined) return;
    drop(id);
    void refused(refusal);
    if (refusal.status === 409 || refusal.status === 400) setForm('resolve', refusal.status === 409);
  }, [drop, id, refusal, refused, report, setForm]);

  const board = { pathname: '/modcp/reports', search: params.toString() };
  const start = (next: WorkForm) => {
    if (report !== undefined && (next === 'note' || (commands.pending === null && offers(report, next)))) setForm(next);
  };
  const act = (action: string) => {
    if (report !== undefined && runnable(report).some(({ name }) => name === action)) void commands.act(action);
  };

  const { verdicts, give } = useVerdicts(report, { decide, fillIn });
  useShortcuts(
    bind('report', {
      next: () => void walk.go(1),
      previous: () => void walk.go(-1),
      board: () => void navigate(board),
      claim: () => {
        if (report !== undefined && offers(report, 'claim')) void commands.claim();
      },
      assign: () => start('assign'),
      note: () => start('note'),
      resolve: () => start(report !== undefined && offers(report, 'reopen') ? 'reopen' : 'resolve'),
      hide: () => act('hide'),
      restore: () => act('unhide'),
    }),
  );

  useCommands([
    ...(report === undefined
      ? []
      : [
          ...(offers(report, 'claim') ? [{ id: 'claim', title: t('move.claim'), hint: shortcuts.report.claim.key, run: () => void commands.claim() }] : []),
          ...(offers(report, 'unassign') ? [{ id: 'unassign', title: t('move.unassign'), run: () => void commands.unassign() }] : []),
          ...(['assign', 'resolve', 'reopen'] as const)
            .filter((move) => offers(report, move))
            .map((move) => ({ id: move, title: t(move === 'resolve' ? resolveKey(report) : `move.${move}`), hint: move === 'resolve' && offers(report, 'reopen') ? undefined : shortcuts.report[move === 'reopen' ? 'resolve' : move].key, run: () => start(move) })),
          ...runnable(report).map((action) => ({ id: action.name, title: actionLabel(t, action.name), run: () => void commands.act(action.name) })),
          { id: 'copy-link', title: t('report.copyLink'), run: () => void navigator.clipboard?.writeText(window.location.origin + window.location.pathname) },
        ]),
    { id: 'back-to-board', title: t('key.board'), hint: shortcuts.report.board.key, run: () => void navigate(board) },
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
        <EvidencePanel key={report.id} report={report} />
        <SimilarPanel report={report} />
        <Related report={report} />
      </div>
      <div key={report.id} className={classes.side}>
        <ReporterAndReason report={report} />
        <DecisionInReach wanted={mayAct(report)}>
          <WorkPanel
            report={report}
            commands={commands}
            form={form === 'note' ? null : form}
            setForm={setForm}
            decide={decide}
            verdicts={verdicts}
            give={give}
            filled={filled}
            leave={() => void walk.go(1).then((went) => (went ? undefined : navigate(board)))}
            contested={contested}
            advance={advance}
            setAdvance={setAdvance}
            advanceTo={mine ? advanceTo : null}
            setAdvanceTo={setAdvanceTo}
          />
        </DecisionInReach>
        <Activity open={open} report={report} commands={commands} noteAsked={form === 'note'} noteTaken={() => setForm(null)} />
      </div>
    </div>
  );
}
