import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { Link, useLocation, useNavigate, type To } from 'react-router';
import { asApiError } from '../api/http';
import { keys } from '../api/queryKeys';
import { relatedReports } from '../api/reports';
import { Context } from '../context/Context';
import { useNextCase } from '../cases/useNextCase';
import { passes } from '../decision/decisionHold';
import { useDecisions } from '../decision/DecisionProvider';
import { useFillIn } from '../decision/useFillIn';
import { useVerdicts, type Decide } from '../decision/useVerdicts';
import { useI18n } from '../i18n/I18n';
import { useStep, useShortcuts } from '../keyboard/ShortcutProvider';
import { bind } from '../keyboard/shortcuts';
import { useUser } from '../session/useSession';
import { decisionDraft, readDraft } from '../storage/drafts';
import { caseDecisionLimit } from '../ui/limits';
import { SimilarPanel } from '../similar/SimilarPanel';
import { Empty, Failure, Loading } from '../ui/States';
import { useToasts } from '../ui/Toasts';
import { useTitle } from '../ui/useTitle';
import { ChangeNotice } from './ChangeNotice';
import { ContentPanel } from './ContentPanel';
import { EscalationBanner } from './EscalationBanner';
import { EvidencePanel } from './evidence/EvidencePanel';
import { HoldLine } from './HoldLine';
import { hasWords, type NoteDraft } from './notes/NoteEditor';
import { NotesToRead } from './notes/NotesToRead';
import { useNotesToRead } from './notes/useNotesToRead';
import { OpenAppeal } from './OpenAppeal';
import { mayAct } from './possibleMoves';
import { ReportHeader } from './ReportHeader';
import { Reporters } from './Reporters';
import { MatchedRules } from './records/MatchedRules';
import { Signals } from './records/Signals';
import { Activity } from './timeline/Activity';
import { useHistory } from './timeline/useHistory';
import type { TogetherReports } from './together';
import { useAdvance } from './useAdvance';
import { usePresence } from './usePresence';
import { useReport } from './useReport';
import type { Walk } from './useWalk';
import { useWorkKeys } from './useWorkKeys';
import { DecisionInReach } from './work/DecisionInReach';
import { useReportCommands } from './work/useReportCommands';
import type { WorkForm } from './work/workForm';
import { WorkPanel } from './work/WorkPanel';
import classes from './Workplace.module.css';

interface Props {
  /** The report whose evidence is shown. */
  id: string;
  /** Null where it is decided alone. */
  together: TogetherReports | null;
  walk: Walk;
  /** The list that it was opened from. */
  list: To;
}

const relatedShown = 10;

/** One page for a report and for a case: what was reported, by whom and why; beside it the verdicts, notes and history. */
export function Workplace({ id, together, walk, list }: Props) {
  const { t } = useI18n();
  const navigate = useNavigate();
  const location = useLocation();
  const self = useUser();
  const open = useReport(id);
  const report = open.query.data;
  const related = useQuery({ queryKey: keys.related(id), queryFn: ({ signal }) => relatedReports(id, { first: relatedShown }, signal), enabled: together === null && report !== undefined });
  const others = together?.rows.filter((row) => row.id !== id) ?? related.data?.edges ?? [];
  const history = useHistory(open, report, others);
  const notes = useNotesToRead(id, history, report);
  const commands = useReportCommands(open, together === null ? [] : others);
  const viewers = usePresence(id, report !== undefined);
  const nextCase = useNextCase();
  const advance = useAdvance(together !== null);
  const { held, drop } = useDecisions();
  const write = useFillIn();
  const [form, setShownForm] = useState<WorkForm | null>(null);
  const [contested, setContested] = useState(false);
  const [filled, setFilled] = useState(0);
  const step = useStep();
  const toasts = useToasts();
  useTitle(report?.snapshot?.title ?? t(together === null ? 'report.title' : 'cases.case'));

  const setForm = useCallback((next: WorkForm | null, isContested = false) => {
    setShownForm(next);
    setContested(isContested);
  }, []);
  const startWith = (location.state as { start?: WorkForm } | null)?.start;
  useEffect(() => {
    setForm(startWith ?? null);
  }, [id, setForm, startWith]);

  // What somebody else holds is not decided with the rest. The version of the report on show is the newest.
  const free = (together?.rows ?? []).filter((row) => row.status === 'new' || row.assignee === null || row.assignee.id === self?.id);
  const decided = free.slice(0, caseDecisionLimit).map((row) => (row.id === report?.id ? { ...row, version: Math.max(row.version, report.version) } : row));
  // A decision is held back for a while. Until it is sent, the next case could be this one, unless the user holds it.
  const mine = self !== null && (together === null ? report?.assignee?.id === self.id : decided.every((row) => row.assignee?.id === self.id));
  const decidable = notes.known && (together === null || decided.length > 0);
  const draft = together?.draft ?? decisionDraft(id);

  const toNext = async () => {
    if (!(await (together === null ? walk.go(1) : nextCase()))) void navigate(list);
  };
  /** Whatever comes, what is pressed until then is for that: it is not dropped. */
  const onward = () =>
    step(async () => {
      if (together === null) {
        if (advance.on) await (mine && advance.to === 'case' ? nextCase() : walk.go(1));
      } else if (advance.on && mine) await toNext();
      else if (!advance.on || !(await walk.go(1))) void navigate(list);
      return true;
    });
  const decide: Decide = (decision, action) => {
    if (notes.asks('decision') || !decidable || !commands.resolve(decision, action, decided, draft)) return;
    setForm(null);
    const unsent = readDraft<NoteDraft>(`${id}:note`);
    const { pathname, search } = location;
    if ((together !== null || advance.on) && unsent !== null && hasWords(unsent))
      toasts.show({ text: t('note.unsent'), tone: 'error', way: { text: t('tray.open', { title: report?.snapshot?.title ?? t('board.untitled') }), go: () => void navigate(pathname + search) } });
    void onward();
  };
  const fillIn: Decide = (decision, action) => {
    if (commands.pending !== null) return;
    write(draft, decision, action);
    setFilled(filled + 1);
    setForm('resolve');
  };
  // A refused decision shows what changed and reopens its draft.
  const refusal = held.get(id)?.error ?? null;
  const { refused } = commands;
  useEffect(() => {
    if (refusal === null || passes(refusal) || report === undefined) return;
    drop(id);
    void refused(refusal);
    if (refusal.status === 409 || refusal.status === 400) setForm('resolve', refusal.status === 409);
  }, [drop, id, refusal, refused, report, setForm]);

  // While a command runs, keys wait for what it leads to.
  const idle = commands.pending === null || commands.pending === 'resolve';
  const ready = report === undefined ? !open.query.isPending : notes.known && (together !== null || !related.isPending) && idle;
  const { verdicts, give } = useVerdicts(report, { decide, fillIn, ready });
  const act = (action: string) => {
    if (!notes.asks('action')) void commands.act(action);
  };
  useWorkKeys({ report, ready, commands, walk, list, inCase: together !== null, setForm, act });

  if (open.query.isPending) {
    return (
      <>
        <KeysToCome />
        <Loading rows={9} height={26} />
      </>
    );
  }
  if (report === undefined) {
    const gone = asApiError(open.query.error).status === 404;
    return gone ? (
      <Empty page icon="search" title={t('report.notFound')} hint={t('report.notFoundHint')}>
        <Button component={Link} to={list} variant="default">
          {t(together === null ? 'key.board' : 'key.toCases')}
        </Button>
      </Empty>
    ) : (
      <Failure error={open.query.error} retry={() => void open.query.refetch()} />
    );
  }

  return (
    <div className={classes.page}>
      <div className={classes.main}>
        <div>
          <ReportHeader report={report} together={together} walk={walk} list={list} viewers={viewers} />
          <HoldLine reportId={report.id} />
          <OpenAppeal entries={history.entries} />
          <EscalationBanner report={report} giveBack={() => setForm('return')} />
          {open.notice !== null && <ChangeNotice notice={open.notice} report={report} close={() => open.setNotice(null)} />}
        </div>
        <ContentPanel report={report} />
        <EvidencePanel key={report.id} report={report} />
        <Context key={`context ${report.id}`} reportId={report.id} />
        <SimilarPanel key={`similar ${report.id}`} report={report} together={together?.total ?? 1} />
        <Reporters report={report} rows={together?.rows ?? others} together={together} more={related.data?.pageInfo.hasNextPage === true} />
      </div>
      <div key={report.id} className={classes.side}>
        <NotesToRead notes={notes} commands={commands} refresh={open.refresh} />
        <DecisionInReach wanted={mayAct(report)}>
          <WorkPanel
            report={report}
            together={together === null ? null : { count: decided.length, heldByOthers: together.rows.length - free.length }}
            draft={draft}
            commands={commands}
            form={form === 'note' ? null : form}
            setForm={setForm}
            decide={decide}
            decidable={decidable}
            verdicts={verdicts}
            give={give}
            act={act}
            filled={filled}
            leave={toNext}
            contested={contested}
            advance={advance}
            chooses={together === null && mine}
          />
        </DecisionInReach>
        <MatchedRules report={report} />
        <Signals signals={report.signals} />
        <Activity history={history} open={open} report={report} commands={commands} noteAsked={form === 'note'} noteTaken={() => setForm(null)} />
      </div>
    </div>
  );
}

/** Lets those keys wait for the report that belong to parts of its screen. */
function KeysToCome() {
  useShortcuts(bind('aside', { skip: () => {}, park: () => {} }), false);
  return null;
}
