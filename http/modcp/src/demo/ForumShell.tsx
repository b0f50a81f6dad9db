import { Button } from '@mantine/core';
import { Link, NavLink, Outlet } from 'react-router';
import { UserMenu } from '../app/UserMenu';
import { useSession, useUser } from '../session/useSession';
import { useI18n } from '../i18n/I18n';
import { Icon } from '../ui/Icon';
import { Logo } from '../ui/Logo';
import classes from './Forum.module.css';
import { useDemoForum } from './isDemo';

/** The frame of what members read; in the demo, of the forum that stands for their platform. */
export function ForumShell() {
  const { t } = useI18n();
  const user = useUser();
  const session = useSession();
  const demo = useDemoForum();
  return (
    <>
      <header className={classes.header}>
        <Link to="/" className={classes.brand}>
          <Logo />
          {demo && <span className={classes.site}>{t('demo.site')}</span>}
        </Link>
        <nav className={classes.links} aria-label={t('nav.main')}>
          <NavLink to="/rules">{t('rules.title')}</NavLink>
          {session.data?.notices === true && <NavLink to="/notice">{t('notice.title')}</NavLink>}
          {user !== null && <NavLink to="/decisions">{t('decisions.title')}</NavLink>}
        </nav>
        <div className={classes.tools}>
          {user?.isModerator === true && (
            <Button component={Link} to="/modcp/reports" variant="default" leftSection={<Icon name="shield" size={16} />}>
              {t('demo.toPanel')}
            </Button>
          )}
          {user === null && (
            <Button component={Link} to="/sign-in?next=/" variant="filled">
              {t('session.signIn')}
            </Button>
          )}
          <UserMenu />
        </div>
      </header>
      <main className={classes.main}>
        <Outlet />
      </main>
    </>
  );
}
