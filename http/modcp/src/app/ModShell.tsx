import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { NavLink, Outlet, useLocation, useNavigate } from 'react-router';
import { BulkProvider } from '../bulk/BulkProvider';
import { useI18n } from '../i18n/I18n';
import { CommandProvider, useCommands } from '../keyboard/Commands';
import { ShortcutProvider, useShortcuts } from '../keyboard/Shortcuts';
import { LiveProvider, useLive } from '../live/LiveProvider';
import { DecisionProvider } from '../report/Decisions';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { Icon } from '../ui/Icon';
import { Logo } from '../ui/Logo';
import { Loading } from '../ui/States';
import { useToasts } from '../ui/Toasts';
import { keys } from '../api/keys';
import { LiveBadge } from './LiveBadge';
import classes from './ModShell.module.css';
import { UserMenu } from './UserMenu';
import { useUser } from './useSession';

const Palette = lazy(() => import('../keyboard/Palette').then((m) => ({ default: m.Palette })));
const Help = lazy(() => import('../keyboard/Help').then((m) => ({ default: m.Help })));

/** The frame round every screen of the panel: header, live feed, keyboard, and what is still to be sent. */
export function ModShell() {
  return (
    <ShortcutProvider>
      <CommandProvider>
        <LiveProvider>
          <DecisionProvider>
            <BulkProvider>
              <Frame />
            </BulkProvider>
          </DecisionProvider>
        </LiveProvider>
      </CommandProvider>
    </ShortcutProvider>
  );
}

function Frame() {
  const { t } = useI18n();
  const user = useUser();
  const works = user !== null && (user.isModerator || user.isAdmin);
  const navigate = useNavigate();
  const location = useLocation();
  const client = useQueryClient();
  const toasts = useToasts();
  const main = useRef<HTMLElement>(null);
  const [overlay, setOverlay] = useState<'palette' | 'help' | null>(null);

  useShortcuts({
    u: () => void toasts.undoLast(),
    ...(works ? { 'mod+k': () => setOverlay('palette'), '?': () => setOverlay('help') } : {}),
  });

  useCommands([
    { id: 'go-reports', title: t('nav.reports'), run: () => void navigate('/modcp/reports') },
    { id: 'go-mine', title: `${t('nav.reports')}: ${t('board.mine')}`, run: () => void navigate('/modcp/reports?status=all&assigned=me') },
    { id: 'go-dashboard', title: t('nav.dashboard'), run: () => void navigate('/modcp/dashboard') },
    ...(user?.isAdmin === true
      ? [
          { id: 'go-staff', title: t('admin.moderators'), run: () => void navigate('/admin/core/staff/moderators') },
          { id: 'go-cron', title: t('admin.cron'), run: () => void navigate('/admin/core/advanced/cron') },
          { id: 'go-queue', title: t('admin.queue'), run: () => void navigate('/admin/core/advanced/queue') },
          { id: 'go-poison', title: t('admin.poison'), run: () => void navigate('/admin/core/advanced/poison') },
          { id: 'go-projections', title: t('admin.projections'), run: () => void navigate('/admin/core/advanced/projections') },
          { id: 'go-events', title: t('admin.events'), run: () => void navigate('/admin/core/events') },
          { id: 'go-webhooks', title: t('admin.webhooks'), run: () => void navigate('/admin/core/webhooks') },
          { id: 'go-integrations', title: t('admin.integrations'), run: () => void navigate('/admin/core/integrations') },
        ]
      : []),
    { id: 'help', title: t('help.title'), hint: '?', run: () => setOverlay('help') },
  ]);

  useLive((event) => {
    // What was missed cannot be told apart, so everything is asked for again.
    if (event.kind === 'reset') {
      void client.invalidateQueries({ queryKey: keys.reports });
      void client.invalidateQueries({ queryKey: ['report'] });
    }
  });

  // After a navigation the focus stands at the top of the new screen.
  const path = location.pathname;
  const firstPath = useRef(path);
  useEffect(() => {
    if (firstPath.current === path) return;
    firstPath.current = '';
    main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [path]);

  return (
    <>
      <a href="#main" className={classes.skip}>
        {t('app.skip')}
      </a>
      <header className={classes.header}>
        <NavLink to="/modcp/reports" className={classes.brand} aria-label={t('app.name')}>
          <Logo />
        </NavLink>
        <nav aria-label={t('nav.main')} className={classes.nav}>
          {user?.isModerator === true && (
            <>
              <NavLink to="/modcp/reports" className={classes.link}>
                <Icon name="inbox" />
                <span>{t('nav.reports')}</span>
              </NavLink>
              <NavLink to="/modcp/dashboard" className={classes.link}>
                <Icon name="chart" />
                <span>{t('nav.dashboard')}</span>
              </NavLink>
            </>
          )}
          {user?.isAdmin === true && (
            <NavLink to="/admin/core" className={classes.link}>
              <Icon name="gear" />
              <span>{t('nav.admin')}</span>
            </NavLink>
          )}
        </nav>
        <div className={classes.tools}>
          {works && (
            <>
              <LiveBadge />
              <button type="button" className={classes.palette} onClick={() => setOverlay('palette')} aria-label={t('palette.title')}>
                <Icon name="search" size={16} />
                <kbd>Ctrl K</kbd>
              </button>
            </>
          )}
          <UserMenu showHelp={works ? () => setOverlay('help') : undefined} />
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1} className={classes.main}>
        <ErrorBoundary resetKey={path}>
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </main>
      <Suspense>
        {overlay === 'palette' && <Palette opened close={() => setOverlay(null)} />}
        {overlay === 'help' && <Help opened close={() => setOverlay(null)} />}
      </Suspense>
    </>
  );
}
