import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { resetPassword } from '../api/account';
import { keys } from '../api/queryKeys';
import { useI18n } from '../i18n/I18n';
import { Form } from '../ui/Form';
import { DeadLink, hasDeadLink } from './DeadLink';
import { EntryPage } from './EntryPage';
import classes from './EntryPage.module.css';
import { NewPasswordField } from './NewPasswordField';
import { useFaults } from './useFaults';

/** Opened by the links in mail, for a forgotten password or an invitation. */
export function ChoosePassword() {
  const { t } = useI18n();
  const client = useQueryClient();
  const [params] = useSearchParams();
  const [password, setPassword] = useState('');
  const token = params.get('token') ?? '';
  const invited = params.has('invitation');
  const choose = useMutation({
    mutationFn: () => resetPassword(token, password),
    // The account's sessions have ended; one of them may be this browser's.
    onSuccess: () => client.invalidateQueries({ queryKey: keys.session }),
  });
  const faults = useFaults(choose.error);
  if (token === '' || hasDeadLink(choose.error)) {
    return (
      <DeadLink hint={t(invited ? 'reset.deadInvitation' : 'reset.dead')}>
        {!invited && (
          <Button component={Link} to="/forgot" fullWidth>
            {t('reset.another')}
          </Button>
        )}
      </DeadLink>
    );
  }
  if (choose.isSuccess) {
    return (
      <EntryPage title={t('reset.done')} hint={t('reset.doneHint')}>
        <Button component={Link} to="/sign-in" fullWidth autoFocus>
          {t('session.signIn')}
        </Button>
      </EntryPage>
    );
  }
  return (
    <EntryPage title={t(invited ? 'reset.welcome' : 'reset.title')} hint={t(invited ? 'reset.welcomeHint' : 'reset.hint')}>
      <Form className={classes.form} submit={() => choose.mutate()} fault={faults.otherThan('password')}>
        <NewPasswordField label={t('password.new')} value={password} change={setPassword} fault={faults.at('password')} autoFocus />
        <Button type="submit" fullWidth mt={6} loading={choose.isPending}>
          {t('reset.set')}
        </Button>
      </Form>
    </EntryPage>
  );
}
