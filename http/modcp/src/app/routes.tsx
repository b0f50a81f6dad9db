import { lazy, Suspense } from 'react';
import { Navigate, Outlet, Route, Routes } from 'react-router';
import { listPath } from '../board/listPath';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { Loading } from '../ui/States';
import { FrontPage } from '../demo/FrontPage';
import { NotFound } from './NotFound';
import { RequireUser } from '../session/RequireUser';
import { AdminLayout, Board, CasePage, Cases, ConfirmNotice, Dashboard, ForumShell, ModShell, ReportPage, SendNotice, SignIn, TransparencyPage } from './lazyScreens';

const ForumHome = lazy(() => import('../demo/ForumHome').then((m) => ({ default: m.ForumHome })));
const ForumContentPage = lazy(() => import('../demo/ForumContentPage').then((m) => ({ default: m.ForumContentPage })));
const ForumRules = lazy(() => import('../demo/ForumRules').then((m) => ({ default: m.ForumRules })));
const StopDigest = lazy(() => import('../account/StopDigest').then((m) => ({ default: m.StopDigest })));
const ForgotPassword = lazy(() => import('../account/ForgotPassword').then((m) => ({ default: m.ForgotPassword })));
const ChoosePassword = lazy(() => import('../account/ChoosePassword').then((m) => ({ default: m.ChoosePassword })));
const FirstAdministrator = lazy(() => import('../account/FirstAdministrator').then((m) => ({ default: m.FirstAdministrator })));
const AccountPage = lazy(() => import('../account/AccountPage').then((m) => ({ default: m.AccountPage })));
const Start = lazy(() => import('../account/Start').then((m) => ({ default: m.Start })));
const MemberDecisions = lazy(() => import('../demo/MemberDecisions').then((m) => ({ default: m.MemberDecisions })));
const MemberDecisionPage = lazy(() => import('../demo/MemberDecisionPage').then((m) => ({ default: m.MemberDecisionPage })));
const AppealQueue = lazy(() => import('../appeals/AppealQueue').then((m) => ({ default: m.AppealQueue })));
const AppealPage = lazy(() => import('../appeals/AppealPage').then((m) => ({ default: m.AppealPage })));
const HeldList = lazy(() => import('../held/HeldList').then((m) => ({ default: m.HeldList })));
const Seconds = lazy(() => import('../seconds/Seconds').then((m) => ({ default: m.Seconds })));
const MeasureList = lazy(() => import('../measures/MeasureList').then((m) => ({ default: m.MeasureList })));
const AuthorPage = lazy(() => import('../measures/AuthorPage').then((m) => ({ default: m.AuthorPage })));
const StaffList = lazy(() => import('../admin/staff/StaffList').then((m) => ({ default: m.StaffList })));
const StaffEditor = lazy(() => import('../admin/staff/StaffEditor').then((m) => ({ default: m.StaffEditor })));
const Users = lazy(() => import('../admin/users/Users').then((m) => ({ default: m.Users })));
const Policies = lazy(() => import('../admin/policies/Policies').then((m) => ({ default: m.Policies })));
const NewPolicy = lazy(() => import('../admin/policies/PolicyEditor').then((m) => ({ default: m.NewPolicy })));
const EditPolicy = lazy(() => import('../admin/policies/PolicyEditor').then((m) => ({ default: m.EditPolicy })));
const Ladder = lazy(() => import('../admin/policies/Ladder').then((m) => ({ default: m.Ladder })));
const Rules = lazy(() => import('../admin/rules/Rules').then((m) => ({ default: m.Rules })));
const NewRule = lazy(() => import('../admin/rules/RulePage').then((m) => ({ default: m.NewRule })));
const RulePage = lazy(() => import('../admin/rules/RulePage').then((m) => ({ default: m.RulePage })));
const Backtests = lazy(() => import('../admin/rules/Backtests').then((m) => ({ default: m.Backtests })));
const BacktestPage = lazy(() => import('../admin/rules/BacktestPage').then((m) => ({ default: m.BacktestPage })));
const Platforms = lazy(() => import('../admin/platforms/Platforms').then((m) => ({ default: m.Platforms })));
const NewPlatform = lazy(() => import('../admin/platforms/Platform').then((m) => ({ default: m.NewPlatform })));
const EditPlatform = lazy(() => import('../admin/platforms/Platform').then((m) => ({ default: m.EditPlatform })));
const Cron = lazy(() => import('../admin/cron/Cron').then((m) => ({ default: m.Cron })));
const Queue = lazy(() => import('../admin/queue/Queue').then((m) => ({ default: m.Queue })));
const Holds = lazy(() => import('../admin/holds/Holds').then((m) => ({ default: m.Holds })));
const Quality = lazy(() => import('../admin/quality/Quality').then((m) => ({ default: m.Quality })));
const Statements = lazy(() => import('../admin/statements/Statements').then((m) => ({ default: m.Statements })));
const Transparency = lazy(() => import('../admin/transparency/Transparency').then((m) => ({ default: m.Transparency })));
const Poison = lazy(() => import('../admin/poison/Poison').then((m) => ({ default: m.Poison })));
const Projections = lazy(() => import('../admin/projections/Projections').then((m) => ({ default: m.Projections })));
const EventLog = lazy(() => import('../admin/events/EventLog').then((m) => ({ default: m.EventLog })));
const Webhooks = lazy(() => import('../admin/webhooks/Webhooks').then((m) => ({ default: m.Webhooks })));
const Integrations = lazy(() => import('../admin/integrations/Integrations').then((m) => ({ default: m.Integrations })));
const System = lazy(() => import('../admin/system/System').then((m) => ({ default: m.System })));

export function PanelRoutes() {
  return (
    <ErrorBoundary>
      <Suspense fallback={<Loading />}>
        <Routes>
          <Route path="/sign-in" element={<SignIn />} />
          <Route path="/forgot" element={<ForgotPassword />} />
          <Route path="/reset" element={<ChoosePassword />} />
          <Route path="/digest" element={<StopDigest />} />
          <Route path="/notice" element={<SendNotice />} />
          <Route path="/notice/confirm" element={<ConfirmNotice />} />
          <Route path="/setup" element={<FirstAdministrator />} />
          <Route path="/start" element={<RequireUser><Start /></RequireUser>} />
          <Route element={<ForumShell />}>
            <Route element={<FrontPage />}>
              <Route path="/" element={<ForumHome />} />
              <Route path="/forum" element={<Navigate to="/" replace />} />
              <Route path="/forum/:kind/:id" element={<ForumContentPage />} />
            </Route>
            <Route path="/transparency/:id" element={<TransparencyPage />} />
            <Route path="/rules" element={<ForumRules />} />
            <Route path="/decisions" element={<RequireUser><MemberDecisions /></RequireUser>} />
            <Route path="/decisions/:id" element={<RequireUser><MemberDecisionPage /></RequireUser>} />
          </Route>
          <Route element={<RequireUser><ModShell /></RequireUser>}>
            <Route element={<RequireUser need="moderator"><Outlet /></RequireUser>}>
              <Route path="/modcp" element={<Navigate to={listPath()} replace />} />
              <Route path="/modcp/reports" element={<Board />} />
              <Route path="/modcp/reports/:id" element={<ReportPage />} />
              <Route path="/modcp/appeals" element={<AppealQueue />} />
              <Route path="/modcp/appeals/:id" element={<AppealPage />} />
              <Route path="/modcp/held" element={<HeldList />} />
              <Route path="/modcp/seconds" element={<Seconds />} />
              <Route path="/modcp/measures" element={<MeasureList />} />
              <Route path="/modcp/authors/:plugin/:id" element={<AuthorPage />} />
              <Route path="/modcp/cases" element={<Cases />} />
              <Route path="/modcp/cases/:plugin/:type/:id" element={<CasePage />} />
              <Route path="/modcp/dashboard" element={<Dashboard />} />
            </Route>
            <Route path="/account" element={<AccountPage />} />
            <Route path="/admin" element={<Navigate to="/admin/core/staff/moderators" replace />} />
            <Route path="/admin/core" element={<RequireUser need="admin"><AdminLayout /></RequireUser>}>
              <Route index element={<Navigate to="/admin/core/staff/moderators" replace />} />
              <Route path="staff/moderators" element={<StaffList kind="moderator" />} />
              <Route path="staff/moderators/:id" element={<StaffEditor kind="moderator" />} />
              <Route path="staff/admins" element={<StaffList kind="admin" />} />
              <Route path="staff/admins/:id" element={<StaffEditor kind="admin" />} />
              <Route path="users" element={<Users />} />
              <Route path="policies" element={<Policies />} />
              <Route path="policies/new" element={<NewPolicy />} />
              <Route path="policies/ladder" element={<Ladder />} />
              <Route path="policies/edit/:key" element={<EditPolicy />} />
              <Route path="rules" element={<Rules />} />
              <Route path="holds" element={<Holds />} />
              <Route path="quality" element={<Quality />} />
              <Route path="statements" element={<Statements />} />
              <Route path="rules/new" element={<NewRule />} />
              <Route path="rules/edit/:key" element={<RulePage />} />
              <Route path="rules/backtests" element={<Backtests />} />
              <Route path="rules/backtests/:id" element={<BacktestPage />} />
              <Route path="transparency" element={<Transparency />} />
              <Route path="platforms" element={<Platforms />} />
              <Route path="platforms/new" element={<NewPlatform />} />
              <Route path="platforms/edit/:id" element={<EditPlatform />} />
              <Route path="advanced/cron" element={<Cron />} />
              <Route path="advanced/queue" element={<Queue />} />
              <Route path="advanced/poison" element={<Poison />} />
              <Route path="advanced/projections" element={<Projections />} />
              <Route path="events" element={<EventLog />} />
              <Route path="webhooks" element={<Webhooks />} />
              <Route path="integrations" element={<Integrations />} />
              <Route path="system" element={<System />} />
              <Route path="dashboard" element={<Dashboard />} />
            </Route>
            <Route path="*" element={<NotFound />} />
          </Route>
        </Routes>
      </Suspense>
    </ErrorBoundary>
  );
}
