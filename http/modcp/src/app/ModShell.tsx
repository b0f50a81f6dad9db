import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Link, NavLink, Outlet, useLocation, useNavigate } from 'react-router';
import { useAppealAccess } from '../appeals/useAppealAccess';
import { BulkProvider } from '../bulk/BulkProvider';
import { useI18n } from '../i18n/I18n';
import { CommandProvider, useCommands } from '../keyboard/CommandProvider';
import { bind, keyLabel, shortcuts } from '../keyboard/shortcuts';
import { ShortcutProvider, useShortcuts } from '../keyboard/ShortcutProvider';
import { LiveProvider, useLive } from '../live/LiveProvider';
import { DecisionProvider } from '../decision/DecisionProvider';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { Icon } from '../ui/Icon';
import { Logo } from '../ui/Logo';
import { Loading } from '../ui/States';
import { useToasts } from '../ui/Toasts';
import { keys } from '../api/queryKeys';
import { LiveBadge } from './LiveBadge';
import classes from './ModShell.module.css';
import { UserMenu } from './UserMenu';
import { useNextCase } from '../cases/useNextCase';
import { readSetting } from '../storage/settings';
import { useUser } from '../session/useSession';

const CommandPalette = lazy(() => import('../keyboard/CommandPalette').then((m) => ({ default: m.CommandPalette })));
const ShortcutHelp = lazy(() => import('../keyboard/ShortcutHelp').then((m) => ({ default: m.ShortcutHelp })));

/** The frame of every screen: header, live feed, keyboard, and decisions that are still held back. */
export function ModShell() {
  const user = useUser();
  return (
    <ShortcutProvider>
      <CommandProvider>
        <LiveProvider account={user?.isModerator === true ? user.id : null}>
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
  const decidesAppeals = useAppealAccess();
  const works = user !== null && (user.isModerator || user.isAdmin);
  const navigate = useNavigate();
  const location = useLocation();
  const client = useQueryClient();
  const toasts = useToasts();
  const main = useRef<HTMLElement>(null);
  const [overlay, setOverlay] = useState<'palette' | 'help' | null>(null);

  const nextCase = useNextCase();
  const undo = () => void toasts.undoLast();
  useShortcuts(
    works
      ? bind('everywhere', { nextCase: () => void (user?.isModerator === true ? nextCase() : undefined), undo, palette: () => setOverlay('palette'), help: () => setOverlay('help') })
      : { [shortcuts.everywhere.undo.key]: undo },
  );

  useCommands([
    { id: 'go-reports', title: t('nav.reports'), run: () => void navigate('/modcp/reports') },
    { id: 'go-mine', title: `${t('nav.reports')}: ${t('board.mine')}`, run: () => void navigate('/modcp/reports?status=all&assigned=me') },
    ...(decidesAppeals ? [{ id: 'go-appeals', title: t('nav.appeals'), run: () => void navigate('/modcp/appeals') }] : []),
    { id: 'next-case', title: t('key.nextCase'), hint: shortcuts.everywhere.nextCase.key, run: () => void nextCase() },
    { id: 'go-cases', title: t('cases.title'), run: () => void navigate('/modcp/cases') },
    { id: 'go-dashboard', title: t('nav.dashboard'), run: () => void navigate('/modcp/dashboard') },
    ...(user?.isAdmin === true
      ? [
          { id: 'go-staff', title: t('admin.moderators'), run: () => void navigate('/admin/core/staff/moderators') },
          { id: 'go-users', title: t('admin.users'), run: () => void navigate('/admin/core/users') },
          { id: 'go-policies', title: t('admin.policies'), run: () => void navigate('/admin/core/policies') },
          { id: 'go-cron', title: t('admin.cron'), run: () => void navigate('/admin/core/advanced/cron') },
          { id: 'go-queue', title: t('admin.queue'), run: () => void navigate('/admin/core/advanced/queue') },
          { id: 'go-poison', title: t('admin.poison'), run: () => void navigate('/admin/core/advanced/poison') },
          { id: 'go-projections', title: t('admin.projections'), run: () => void navigate('/admin/core/advanced/projections') },
          { id: 'go-events', title: t('admin.events'), run: () => void navigate('/admin/core/events') },
          { id: 'go-webhooks', title: t('admin.webhooks'), run: () => void navigate('/admin/core/webhooks') },
          { id: 'go-integrations', title: t('admin.integrations'), run: () => void navigate('/admin/core/integrations') },
          { id: 'go-system', title: t('admin.system'), run: () => void navigate('/admin/core/system') },
        ]
      : []),
    { id: 'go-account', title: t('account.title'), run: () => void navigate('/account') },
    { id: 'help', title: t('help.title'), hint: shortcuts.everywhere.help.key, run: () => setOverlay('help') },
  ]);

  useLive((event) => {
    // The events in between are lost, so everything is refetched.
    if (event.kind === 'reset') {
      void client.invalidateQueries({ queryKey: keys.reports });
      void client.invalidateQueries({ queryKey: ['report'] });
    }
  });

  // A navigation moves the focus to the top of the new screen.
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
              <Link
                to={readSetting('board') === 'cases' ? '/modcp/cases' : '/modcp/reports'}
                className={classes.link}
                aria-current={/^\/modcp\/(reports|cases)(\/|$)/.test(path) ? 'page' : undefined}
              >
                <Icon name="inbox" />
                <span>{t('nav.reports')}</span>
              </Link>
              {decidesAppeals && (
                <NavLink to="/modcp/appeals" className={classes.link}>
                  <Icon name="scales" />
                  <span>{t('nav.appeals')}</span>
                </NavLink>
              )}
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
                <kbd>{keyLabel(shortcuts.everywhere.palette.key)}</kbd>
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
        {overlay === 'palette' && <CommandPalette opened close={() => setOverlay(null)} />}
        {overlay === 'help' && <ShortcutHelp opened close={() => setOverlay(null)} />}
      </Suspense>
    </>
  );
}
