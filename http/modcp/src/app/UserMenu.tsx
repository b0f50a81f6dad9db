import { lazy } from 'react';
import { useI18n } from '../i18n/I18n';
import { useUser } from '../session/useSession';
import { Icon } from '../ui/Icon';
import { PersonName } from '../ui/PersonName';
import { WhenPressed } from '../ui/WhenPressed';
import classes from './UserMenu.module.css';

const UserMenuItems = lazy(() => import('./UserMenuItems').then((m) => ({ default: m.UserMenuItems })));

export function UserMenu({ showHelp }: { showHelp?: () => void }) {
  const { t } = useI18n();
  const user = useUser();
  return (
    <WhenPressed
      opens="menu"
      button={(props) => (
        <button type="button" className={classes.target} {...props}>
          <span className="visually-hidden">{t('pref.account')}</span>
          {user === null ? <Icon name="user" /> : <PersonName person={user} self />}
          <Icon name="chevronDown" size={14} />
        </button>
      )}
    >
      {(button) => <UserMenuItems button={button} showHelp={showHelp} />}
    </WhenPressed>
  );
}
