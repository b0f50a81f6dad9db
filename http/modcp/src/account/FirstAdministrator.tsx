import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { setUp } from '../api/account';
import { keys } from '../api/queryKeys';
import { signIn } from '../api/session';
import { useI18n } from '../i18n/I18n';
import { firstScreen, setUser } from '../session/useSession';
import { Form } from '../ui/Form';
import { DeadLink, hasDeadLink } from './DeadLink';
import { EmailField } from './EmailField';
import { EntryPage } from './EntryPage';
import classes from './EntryPage.module.css';
import { NewPasswordField } from './NewPasswordField';
import { useFaults } from './useFaults';

/** Opened by the link that a server without accounts prints: makes the first administrator. */
export function FirstAdministrator() {
  const { t } = useI18n();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const [account, setAccount] = useState({ name: '', email: '', password: '' });
  const token = params.get('token') ?? '';
  const make = useMutation({
    mutationFn: async () => {
      await setUp({ ...account, token });
      // The link has been used now, so a failure from here on leads to the sign-in page.
      return signIn(account.email, account.password).catch(() => null);
    },
    onSuccess: async (answer) => {
      const user = answer?.user;
      if (user !== undefined) {
        setUser(client, user);
        await client.refetchQueries({ queryKey: keys.session }).catch(() => undefined);
      }
      void navigate(user === undefined ? '/sign-in' : firstScreen(user), { replace: true });
    },
  });
  const faults = useFaults(make.error);
  if (token === '' || hasDeadLink(make.error)) return <DeadLink hint={t('setup.dead')} />;
  return (
    <EntryPage title={t('setup.title')} hint={t('setup.hint')}>
      <Form className={classes.form} submit={() => make.mutate()} fault={faults.otherThan('name', 'email', 'password')}>
        <TextInput
          label={t('account.name')}
          name="name"
          autoComplete="name"
          required
          autoFocus
          value={account.name}
          error={faults.at('name')}
          onChange={(event) => setAccount({ ...account, name: event.currentTarget.value })}
        />
        <EmailField value={account.email} change={(email) => setAccount({ ...account, email })} fault={faults.at('email')} />
        <NewPasswordField label={t('session.password')} value={account.password} change={(password) => setAccount({ ...account, password })} fault={faults.at('password')} />
        <Button type="submit" fullWidth mt={6} loading={make.isPending}>
          {t('setup.make')}
        </Button>
      </Form>
    </EntryPage>
  );
}
