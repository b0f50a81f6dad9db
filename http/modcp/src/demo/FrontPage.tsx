import { Navigate, Outlet } from 'react-router';
import { firstScreen, useSession } from '../session/useSession';
import { Failure, Loading } from '../ui/States';

/** The demo's forum; on a server without it, the way to the panel. */
export function FrontPage() {
  const session = useSession();
  if (session.isPending) return <Loading />;
  if (session.data === undefined) return <Failure error={session.error} retry={() => void session.refetch()} />;
  const { demoForum, user } = session.data;
  if (demoForum) return <Outlet />;
  const first = user === null ? '/sign-in' : firstScreen(user);
  return <Navigate to={first === '/' ? '/account' : first} replace />;
}
