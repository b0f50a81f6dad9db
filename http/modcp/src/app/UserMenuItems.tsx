import { Menu, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { useEffect } from 'react';
import { Link, useLocation } from 'react-router';
import { useDemoForum } from '../demo/isDemo';
import { listPath } from '../board/listPath';
import { useI18n } from '../i18n/I18n';
import { locales } from '../i18n/locales';
import { Icon } from '../ui/Icon';
import { useOpened, type MakeButton } from '../ui/WhenPressed';
import classes from './UserMenu.module.css';
import { useSignOut, useUser } from '../session/useSession';

const schemes: readonly MantineColorScheme[] = ['light', 'dark', 'auto'];

/** Account, theme and language, in one menu. */
export function UserMenuItems({ button, showHelp }: { button: MakeButton; showHelp?: () => void }) {
  const { t, locale, setLocale } = useI18n();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const user = useUser();
  const demo = useDemoForum();
  const signOut = useSignOut();
  const [opened, setOpened] = useOpened();
  const { pathname } = useLocation();
  useEffect(() => () => setOpened(false), [pathname, setOpened]);
  return (
    <Menu opened={opened} onChange={setOpened} width={250} withinPortal={false} withInitialFocusPlaceholder={false} classNames={{ itemIndicator: classes.mark }}>
      <Menu.Target>{button({})}</Menu.Target>
      <Menu.Dropdown>
        {user !== null && (
          <>
            <div className={classes.who}>
              <bdi>{user.name}</bdi>
              <bdi>{user.email}</bdi>
            </div>
            <Menu.Divider />
            {user.isModerator && (
              <Menu.Item component={Link} to={listPath()} leftSection={<Icon name="inbox" size={16} />}>
                {t('nav.reports')}
              </Menu.Item>
            )}
            {demo && (
              <Menu.Item component={Link} to="/" leftSection={<Icon name="forum" size={16} />}>
                {t('nav.forum')}
              </Menu.Item>
            )}
            <Menu.Item component={Link} to="/account" leftSection={<Icon name="gear" size={16} />}>
              {t('account.open')}
            </Menu.Item>
            <Menu.Divider />
          </>
        )}
        <Heading text={t('pref.theme')} />
        <Menu.RadioGroup value={colorScheme} onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}>
          {schemes.map((scheme) => (
            <Menu.RadioItem key={scheme} value={scheme} rightSection={<Icon name={scheme === 'light' ? 'sun' : scheme === 'dark' ? 'moon' : 'monitor'} size={16} />}>
              {t(scheme === 'auto' ? 'pref.system' : `pref.${scheme}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Heading text={t('pref.language')} />
        <Menu.RadioGroup value={locale.id} onChange={setLocale}>
          {locales.map(({ id, name }) => (
            <Menu.RadioItem key={id} value={id} lang={id}>
              {name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        {showHelp !== undefined && (
          <>
            <Menu.Divider />
            <Menu.Item leftSection={<Icon name="keyboard" size={16} />} onClick={showHelp}>
              {t('pref.shortcuts')}
            </Menu.Item>
          </>
        )}
        <Menu.Divider />
        {user === null ? (
          <Menu.Item component={Link} to="/sign-in" leftSection={<Icon name="user" size={16} />}>
            {t('session.signIn')}
          </Menu.Item>
        ) : (
          <Menu.Item leftSection={<Icon name="signOut" size={16} />} onClick={() => signOut.mutate()}>
            {t('session.signOut')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

/** A heading for the items below; hidden from screen readers, for which the items' names are enough. */
function Heading({ text }: { text: string }) {
  return (
    <div className={classes.heading} aria-hidden="true">
      {text}
    </div>
  );
}
