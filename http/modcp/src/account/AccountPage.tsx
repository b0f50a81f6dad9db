import { CareSettings } from '../care/CareSettings';
import { useI18n } from '../i18n/I18n';
import { useUser } from '../session/useSession';
import { PageHead, Panel } from '../ui/Panel';
import { useTitle } from '../ui/useTitle';
import classes from './Account.module.css';
import { ChangePassword } from './ChangePassword';
import { DigestSettings } from './DigestSettings';
import { OwnName } from './OwnName';
import { Preferences } from './Preferences';
import { Sessions } from './Sessions';
import { Tokens } from './Tokens';
import { TwoStep } from './TwoStep';

/** What people do with their own account. */
export function AccountPage() {
  const { t } = useI18n();
  const user = useUser();
  useTitle(t('account.title'));
  if (user === null) return null;
  return (
    <div className={classes.page}>
      <PageHead title={t('account.title')} hint={t('account.hint')} />
      <div className={classes.two}>
        <div className={classes.form}>
          <Panel title={t('account.you')} id="account-you">
            <OwnName name={user.name} />
            <dl className={classes.facts}>
              <div>
                <dt>{t('session.email')}</dt>
                <dd>{user.email === null ? t('account.noEmail') : <bdi>{user.email}</bdi>}</dd>
              </div>
            </dl>
          </Panel>
          <Preferences />
          {user.isModerator && <DigestSettings />}
        </div>
        <div className={classes.form}>
          <ChangePassword email={user.email} />
          {user.isModerator && <CareSettings />}
        </div>
      </div>
      <TwoStep user={user} />
      <Sessions />
      <Tokens user={user} />
    </div>
  );
}
