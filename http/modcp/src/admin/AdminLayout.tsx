import { Suspense, useEffect, useRef } from 'react';
import { NavLink, Outlet, useLocation } from 'react-router';
import { useI18n } from '../i18n/I18n';
import { Icon } from '../ui/Icon';
import { Loading } from '../ui/States';
import { useSession } from '../session/useSession';
import { FirstSteps } from './system/FirstSteps';
import { sectionGroups } from './sections';
import classes from './AdminLayout.module.css';

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
        {sectionGroups.map((group) => (
          <div key={group[0]![0]} className={classes.group}>
            {group.map(([path, icon, label]) => (
              <NavLink key={path} to={`/admin/core/${path}`} className={classes.link}>
                <Icon name={icon} size={17} />
                {t(label)}
              </NavLink>
            ))}
          </div>
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
