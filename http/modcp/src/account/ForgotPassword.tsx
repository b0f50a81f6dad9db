import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { forgotPassword } from '../api/account';
import { useI18n } from '../i18n/I18n';
import { useSession } from '../session/useSession';
import { Form } from '../ui/Form';
import { EmailField } from './EmailField';
import { EntryPage } from './EntryPage';
import classes from './EntryPage.module.css';
import { useFaults } from './useFaults';

/** Asks for a link to choose another password. The answer does not reveal whether there is such an account. */
export function ForgotPassword() {
  const { t, locale } = useI18n();
  const session = useSession();
  const [email, setEmail] = useState('');
  const ask = useMutation({ mutationFn: () => forgotPassword(email, locale.id) });
  const faults = useFaults(ask.error);
  if (session.data?.signIn.passwords === false) {
    return (
      <EntryPage title={t('forgot.title')} hint={t('password.off')}>
        <BackToSignIn />
      </EntryPage>
    );
  }
  if (ask.isSuccess) {
    return (
      <EntryPage title={t('forgot.sent')}>
        <div role="status">
          <p>{t('forgot.sentHint', { email })}</p>
          <p>{t('forgot.noMail')}</p>
        </div>
        <BackToSignIn />
      </EntryPage>
    );
  }
  return (
    <EntryPage title={t('forgot.title')} hint={t('forgot.hint')}>
      <Form className={classes.form} submit={() => ask.mutate()} fault={faults.otherThan('email')}>
        <EmailField value={email} change={setEmail} fault={faults.at('email')} autoFocus />
        <Button type="submit" fullWidth mt={6} loading={ask.isPending}>
          {t('forgot.send')}
        </Button>
        <BackToSignIn />
      </Form>
    </EntryPage>
  );
}

function BackToSignIn() {
  const { t } = useI18n();
  return (
    <Link to="/sign-in" className={classes.link}>
      {t('forgot.back')}
    </Link>
  );
}
