import { lazy, Suspense } from 'react';
import { useSession } from '../session/useSession';

const FirstSteps = lazy(() => import('../admin/system/FirstSteps').then((m) => ({ default: m.FirstSteps })));

/** What is left to do on a new server, above the lists of its administrators. */
export function Beginning() {
  const session = useSession();
  if (session.data?.demoForum !== false || session.data.user?.isAdmin !== true) return null;
  return (
    <Suspense>
      <FirstSteps />
    </Suspense>
  );
}
