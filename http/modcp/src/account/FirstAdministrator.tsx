import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { setUp } from '../api/account';
import { signIn } from '../api/session';
import { useI18n } from '../i18n/I18n';
import { firstScreen, setUser } from '../session/useSession';
import { Callout } from '../ui/Callout';
import { DeadLink, hasDeadLink } from './DeadLink';
import { EntryPage } from './EntryPage';
import classes from './EntryPage.module.css';
import { NewPasswordField } from './NewPasswordField';
import { useFaults } from './useFaults';

/** Where the link leads that an empty server prints: it makes the first administrator. */
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
      // The link is used up now, so what fails from here on is left to the sign-in page.
      return signIn(account.email, account.password).catch(() => null);
    },
    onSuccess: (answer) => {
      if (answer !== null) setUser(client, answer.user);
      void navigate(answer === null ? '/sign-in' : firstScreen(answer.user), { replace: true });
    },
  });
  const faults = useFaults(make.error);
  const other = faults.otherThan('name', 'email', 'password');
  if (token === '' || hasDeadLink(make.error)) return <DeadLink hint={t('setup.dead')} />;
  return (
    <EntryPage title={t('setup.title')} hint={t('setup.hint')}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          make.mutate();
        }}
      >
        {other !== null && (
          <Callout tone="red" alert>
            {other}
          </Callout>
        )}
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
        <TextInput
          label={t('session.email')}
          type="email"
          name="email"
          autoComplete="username"
          required
          value={account.email}
          error={faults.at('email')}
          onChange={(event) => setAccount({ ...account, email: event.currentTarget.value })}
        />
        <NewPasswordField label={t('session.password')} value={account.password} change={(password) => setAccount({ ...account, password })} fault={faults.at('password')} />
        <Button type="submit" fullWidth mt={6} loading={make.isPending}>
          {t('setup.make')}
        </Button>
      </form>
    </EntryPage>
  );
}
