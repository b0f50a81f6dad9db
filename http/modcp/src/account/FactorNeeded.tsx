import { Button } from '@mantine/core';
import { useI18n } from '../i18n/I18n';
import { useSignOut, useUser } from '../session/useSession';
import { Logo } from '../ui/Logo';
import { PageHead } from '../ui/Panel';
import { useTitle } from '../ui/useTitle';
import classes from './Account.module.css';
import { ChangePassword } from './ChangePassword';
import { Sessions } from './Sessions';
import { TwoStep } from './TwoStep';

/** What staff without a second factor see of the panel, where they need one. */
export function FactorNeeded() {
  const { t } = useI18n();
  const user = useUser();
  const leave = useSignOut();
  useTitle(t('factors.title'));
  if (user === null) return null;
  return (
    <main className={classes.page}>
      <Logo />
      <PageHead title={t('factors.title')} hint={user.name}>
        <Button variant="default" loading={leave.isPending} onClick={() => leave.mutate()}>
          {t('session.signOut')}
        </Button>
      </PageHead>
      <TwoStep user={user} />
      <ChangePassword email={user.email} />
      <Sessions />
    </main>
  );
}
