import { Suspense, useEffect, useRef } from 'react';
import { NavLink, Outlet, useLocation } from 'react-router';
import { useI18n } from '../i18n/I18n';
import { Icon, type IconName } from '../ui/Icon';
import { Loading } from '../ui/States';
import { useSession } from '../session/useSession';
import type { MessageKey } from '../i18n/messages';
import { FirstSteps } from './system/FirstSteps';
import classes from './AdminLayout.module.css';

const sections: readonly (readonly [path: string, icon: IconName, label: MessageKey])[] = [
  ['staff/moderators', 'users', 'admin.moderators'],
  ['staff/admins', 'shield', 'admin.admins'],
  ['users', 'user', 'admin.users'],
  ['policies', 'book', 'admin.policies'],
  ['rules', 'filter', 'admin.rules'],
  ['holds', 'scales', 'admin.holds'],
  ['quality', 'users', 'seconds.title'],
  ['statements', 'external', 'admin.statements'],
  ['transparency', 'eye', 'admin.transparency'],
  ['platforms', 'globe', 'admin.platforms'],
  ['advanced/cron', 'clock', 'admin.cron'],
  ['advanced/queue', 'layers', 'admin.queue'],
  ['advanced/poison', 'warning', 'admin.poison'],
  ['advanced/projections', 'refresh', 'admin.projections'],
  ['events', 'history', 'admin.events'],
  ['webhooks', 'link', 'admin.webhooks'],
  ['integrations', 'bolt', 'admin.integrations'],
  ['system', 'gear', 'admin.system'],
];

export function AdminLayout() {
  const { t } = useI18n();
  const { pathname } = useLocation();
  const session = useSession();
  // Who moderates too is told on the board.
  const starts = session.data?.demoForum === false && session.data.user?.isModerator === false;
  const nav = useRef<HTMLElement>(null);
  // On a phone the sections are a strip that scrolls sideways.
  useEffect(() => {
    void nav.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [pathname]);
  return (
    <div className={classes.layout}>
      <nav ref={nav} className={classes.nav} aria-label={t('nav.admin')}>
        {sections.map(([path, icon, label]) => (
          <NavLink key={path} to={`/admin/core/${path}`} className={classes.link}>
            <Icon name={icon} size={17} />
            {t(label)}
          </NavLink>
        ))}
      </nav>
      <div className={classes.content}>
        {starts && <FirstSteps />}
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </div>
    </div>
  );
}
