import { Menu, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { Link } from 'react-router';
import { useI18n } from '../i18n/I18n';
import { locales } from '../i18n/locales';
import { Icon } from '../ui/Icon';
import { PersonName } from '../ui/PersonName';
import classes from './UserMenu.module.css';
import { useSignOut, useUser } from './useSession';

const schemes: readonly MantineColorScheme[] = ['light', 'dark', 'auto'];

/** Account, theme and language, in one menu. */
export function UserMenu({ showHelp }: { showHelp?: () => void }) {
  const { t, locale, setLocale } = useI18n();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const user = useUser();
  const signOut = useSignOut();
  return (
    <Menu width={240}>
      <Menu.Target>
        <button type="button" className={classes.target} aria-label={t('pref.account')}>
          {user === null ? <Icon name="user" /> : <PersonName person={user} self />}
          <Icon name="chevronDown" size={14} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {user !== null && (
          <>
            <Menu.Label>{t('session.signedInAs', { name: user.name })}</Menu.Label>
            {user.isModerator && (
              <Menu.Item component={Link} to="/modcp/reports" leftSection={<Icon name="inbox" size={16} />}>
                {t('nav.reports')}
              </Menu.Item>
            )}
            <Menu.Item component={Link} to="/" leftSection={<Icon name="forum" size={16} />}>
              {t('nav.forum')}
            </Menu.Item>
            <Menu.Divider />
          </>
        )}
        <Menu.Label>{t('pref.theme')}</Menu.Label>
        {schemes.map((scheme) => (
          <Menu.Item
            key={scheme}
            role="menuitemradio"
            aria-checked={colorScheme === scheme}
            closeMenuOnClick={false}
            leftSection={<Icon name={scheme === 'light' ? 'sun' : scheme === 'dark' ? 'moon' : 'gear'} size={16} />}
            rightSection={colorScheme === scheme ? <Icon name="check" size={15} /> : undefined}
            onClick={() => setColorScheme(scheme)}
          >
            {t(scheme === 'auto' ? 'pref.system' : `pref.${scheme}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{t('pref.language')}</Menu.Label>
        {locales.map(({ id, name }) => (
          <Menu.Item
            key={id}
            lang={id}
            role="menuitemradio"
            aria-checked={locale.id === id}
            leftSection={<Icon name="globe" size={16} />}
            rightSection={locale.id === id ? <Icon name="check" size={15} /> : undefined}
            onClick={() => setLocale(id)}
          >
            {name}
          </Menu.Item>
        ))}
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
          <Menu.Item leftSection={<Icon name="external" size={16} />} onClick={() => signOut.mutate()}>
            {t('session.signOut')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
