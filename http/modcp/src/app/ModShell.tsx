import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Link, NavLink, Outlet, useLocation } from 'react-router';
import { BulkProvider } from '../bulk/BulkProvider';
import { AppealsCount } from '../appeals/AppealsCount';
import { useI18n } from '../i18n/I18n';
import { CommandProvider } from '../keyboard/CommandProvider';
import { keyLabel, shortcuts } from '../keyboard/shortcuts';
import { KeyHold, ShortcutProvider } from '../keyboard/ShortcutProvider';
import { useGlobalCommands, type Overlay } from '../keyboard/useGlobalCommands';
import { LiveProvider, useLive } from '../live/LiveProvider';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { Icon } from '../ui/Icon';
import { Logo } from '../ui/Logo';
import { Loading } from '../ui/States';
import { keys } from '../api/queryKeys';
import { LiveBadge } from './LiveBadge';
import classes from './ModShell.module.css';
import { UserMenu } from './UserMenu';
import { readDraft, writeDraft } from '../storage/drafts';
import { listPath } from '../board/listPath';
import { useUser } from '../session/useSession';
import { usePermission } from '../session/usePermission';
import { useSecondOpinions } from '../session/useSecondOpinions';

const CommandPalette = lazy(() => import('../keyboard/CommandPalette').then((m) => ({ default: m.CommandPalette })));
const ShortcutHelp = lazy(() => import('../keyboard/ShortcutHelp').then((m) => ({ default: m.ShortcutHelp })));

/** Milliseconds in which a reload finds the place that was left. */
const placeWithin = 5_000;

/** The frame of every screen: header, live feed, keyboard, and work on many reports. */
export function ModShell() {
  const user = useUser();
  return (
    <ShortcutProvider>
      <CommandProvider>
        <LiveProvider account={user?.isModerator === true ? user.id : null}>
          <BulkProvider>
            <Frame />
          </BulkProvider>
        </LiveProvider>
      </CommandProvider>
    </ShortcutProvider>
  );
}

function Frame() {
  const { t } = useI18n();
  const user = useUser();
  const decidesAppeals = usePermission('can_decide_appeals');
  const secondOpinions = useSecondOpinions();
  const works = user !== null && (user.isModerator || user.isAdmin);
  const location = useLocation();
  const client = useQueryClient();
  const main = useRef<HTMLElement>(null);
  const [overlay, setOverlay] = useState<Overlay | null>(null);

  useGlobalCommands(setOverlay);

  useLive((event) => {
    // The events in between are lost, so everything is refetched.
    if (event.kind === 'reset') {
      void client.invalidateQueries({ queryKey: keys.reports });
      void client.invalidateQueries({ queryKey: keys.openReports });
    }
  });

  // Reloaded, a browser looks for the place that was left before there is anything to scroll.
  useEffect(() => {
    const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const kept = visit?.type === 'reload' ? readDraft<{ of: string; y: number }>('place') : null;
    const grows = new ResizeObserver(() => {
      if (kept?.of !== window.location.href || window.scrollY > 0 || performance.now() > placeWithin) grows.disconnect();
      else window.scrollTo(0, kept.y <= document.documentElement.scrollHeight - innerHeight ? kept.y : 0);
    });
    if (kept !== null) grows.observe(document.body);
    const leave = () => writeDraft('place', { of: window.location.href, y: window.scrollY });
    window.addEventListener('pagehide', leave);
    return () => {
      grows.disconnect();
      window.removeEventListener('pagehide', leave);
    };
  }, []);

  // A navigation closes what was opened over the screen, and moves the focus to the top of the new one, or to the row of what was left.
  const path = location.pathname;
  const left = useRef(path);
  useEffect(() => {
    if (left.current === path) return;
    const row = [...document.querySelectorAll<HTMLAnchorElement>('[data-case], [data-report], [data-appeal], [data-measure]')].find(({ pathname }) => pathname === left.current);
    left.current = path;
    setOverlay(null);
    (row ?? main.current)?.focus({ preventScroll: true });
    if (row === undefined) window.scrollTo(0, 0);
    else row.scrollIntoView({ block: 'center' });
  }, [path]);

  return (
    <>
      <a href="#main" className={classes.skip}>
        {t('app.skip')}
      </a>
      <header className={classes.header}>
        <NavLink to={listPath()} className={classes.brand} aria-label={t('app.name')}>
          <Logo />
        </NavLink>
        <nav aria-label={t('nav.main')} className={classes.nav}>
          {user?.isModerator === true && (
            <>
              <Link
                to={listPath()}
                className={classes.link}
                aria-current={/^\/modcp\/(reports|cases|held)(\/|$)/.test(path) ? 'page' : undefined}
              >
                <Icon name="inbox" />
                <span>{t('nav.reports')}</span>
              </Link>
              {decidesAppeals && (
                <NavLink to="/modcp/appeals" className={classes.link}>
                  <Icon name="scales" />
                  <span>{t('nav.appeals')}</span>
                  <AppealsCount />
                </NavLink>
              )}
              {secondOpinions && (
                <NavLink to="/modcp/seconds" className={classes.link}>
                  <Icon name="users" />
                  <span>{t('seconds.nav')}</span>
                </NavLink>
              )}
              <NavLink to="/modcp/measures" className={classes.link}>
                <Icon name="shield" />
                <span>{t('measures.title')}</span>
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
              <button type="button" className={classes.palette} onClick={() => setOverlay('palette')}>
                <span className="visually-hidden">{t('palette.title')}</span>
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
          <Suspense fallback={<Loading screen />}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </main>
      <Suspense fallback={<KeyHold />}>
        {overlay === 'palette' && <CommandPalette opened close={() => setOverlay(null)} />}
        {overlay === 'help' && <ShortcutHelp opened close={() => setOverlay(null)} />}
      </Suspense>
    </>
  );
}
