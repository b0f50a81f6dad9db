import { lazy, Suspense } from 'react';
import { Navigate, Outlet, Route, Routes } from 'react-router';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { Loading } from '../ui/States';
import { NotFound } from './NotFound';
import { RequireUser } from './RequireUser';
import { Board, Dashboard, ModShell, ReportPage } from './screens';

const ForumShell = lazy(() => import('../demo/ForumShell').then((m) => ({ default: m.ForumShell })));
const ForumHome = lazy(() => import('../demo/ForumHome').then((m) => ({ default: m.ForumHome })));
const ForumContentPage = lazy(() => import('../demo/ForumContentPage').then((m) => ({ default: m.ForumContentPage })));
const SignIn = lazy(() => import('./SignIn').then((m) => ({ default: m.SignIn })));
const AdminLayout = lazy(() => import('../admin/AdminLayout').then((m) => ({ default: m.AdminLayout })));
const StaffList = lazy(() => import('../admin/staff/StaffList').then((m) => ({ default: m.StaffList })));
const StaffEditor = lazy(() => import('../admin/staff/StaffEditor').then((m) => ({ default: m.StaffEditor })));
const Cron = lazy(() => import('../admin/Cron').then((m) => ({ default: m.Cron })));
const Queue = lazy(() => import('../admin/Queue').then((m) => ({ default: m.Queue })));
const Poison = lazy(() => import('../admin/Poison').then((m) => ({ default: m.Poison })));
const Projections = lazy(() => import('../admin/Projections').then((m) => ({ default: m.Projections })));
const EventLog = lazy(() => import('../admin/events/EventLog').then((m) => ({ default: m.EventLog })));
const Webhooks = lazy(() => import('../admin/Webhooks').then((m) => ({ default: m.Webhooks })));
const Integrations = lazy(() => import('../admin/Integrations').then((m) => ({ default: m.Integrations })));

export function PanelRoutes() {
  return (
    <ErrorBoundary>
      <Suspense fallback={<Loading />}>
        <Routes>
          <Route path="/sign-in" element={<SignIn />} />
          <Route element={<ForumShell />}>
            <Route path="/" element={<ForumHome />} />
            <Route path="/forum" element={<Navigate to="/" replace />} />
            <Route path="/forum/:kind/:id" element={<ForumContentPage />} />
          </Route>
          <Route element={<RequireUser><ModShell /></RequireUser>}>
            <Route element={<RequireUser need="moderator"><Outlet /></RequireUser>}>
              <Route path="/modcp" element={<Navigate to="/modcp/reports" replace />} />
              <Route path="/modcp/reports" element={<Board />} />
              <Route path="/modcp/reports/:id" element={<ReportPage />} />
              <Route path="/modcp/dashboard" element={<Dashboard />} />
            </Route>
            <Route path="/admin" element={<Navigate to="/admin/core/staff/moderators" replace />} />
            <Route path="/admin/core" element={<RequireUser need="admin"><AdminLayout /></RequireUser>}>
              <Route index element={<Navigate to="/admin/core/staff/moderators" replace />} />
              <Route path="staff/moderators" element={<StaffList kind="moderator" />} />
              <Route path="staff/moderators/:id" element={<StaffEditor kind="moderator" />} />
              <Route path="staff/admins" element={<StaffList kind="admin" />} />
              <Route path="staff/admins/:id" element={<StaffEditor kind="admin" />} />
              <Route path="advanced/cron" element={<Cron />} />
              <Route path="advanced/queue" element={<Queue />} />
              <Route path="advanced/poison" element={<Poison />} />
              <Route path="advanced/projections" element={<Projections />} />
              <Route path="events" element={<EventLog />} />
              <Route path="webhooks" element={<Webhooks />} />
              <Route path="integrations" element={<Integrations />} />
              <Route path="dashboard" element={<Dashboard />} />
            </Route>
            <Route path="*" element={<NotFound />} />
          </Route>
        </Routes>
      </Suspense>
    </ErrorBoundary>
  );
}
