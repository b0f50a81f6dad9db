import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { asApiError } from '../api/http';
import { keys } from '../api/keys';
import { signIn } from '../api/session';
import { DemoAccounts } from '../demo/DemoAccounts';
import { useI18n } from '../i18n/I18n';
import { Callout } from '../ui/Callout';
import { Logo } from '../ui/Logo';
import { useErrorText } from '../ui/useErrorText';
import { useTitle } from '../ui/useTitle';
import { localPath } from './localPath';
import classes from './SignIn.module.css';

export function SignIn() {
  const { t } = useI18n();
  const errorText = useErrorText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [params] = useSearchParams();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  useTitle(t('session.signIn'));

  const enter = useMutation({
    mutationFn: (account: { email: string; password: string }) => signIn(account.email, account.password),
    onSuccess: ({ user }) => {
      client.removeQueries({ predicate: (query) => query.queryKey[0] !== 'messages' });
      client.setQueryData(keys.session, { user });
      const next = localPath(params.get('next'));
      void navigate(next ?? (user.isModerator ? '/modcp/reports' : '/'), { replace: true });
    },
  });

  const failure = enter.isError ? asApiError(enter.error) : null;
  const text =
    failure === null
      ? null
      : failure.code === 'invalid_credentials'
        ? t('session.invalid')
        : failure.code === 'rate_limited'
          ? t('session.limited', { minutes: Math.max(1, Math.ceil((failure.retryAfter ?? 60) / 60)) })
          : errorText(failure);

  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <Logo />
        <h1 className={classes.title}>{t('session.title')}</h1>
        <p className={classes.hint}>{t('session.hint')}</p>
        <form
          className={classes.form}
          onSubmit={(event) => {
            event.preventDefault();
            enter.mutate({ email, password });
          }}
        >
          {text !== null && (
            <Callout tone="red" alert>
              {text}
            </Callout>
          )}
          <TextInput
            label={t('session.email')}
            type="email"
            name="email"
            autoComplete="username"
            required
            autoFocus
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            label={t('session.password')}
            name="password"
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Button type="submit" fullWidth mt={6} loading={enter.isPending}>
            {t('session.signIn')}
          </Button>
        </form>
        <DemoAccounts disabled={enter.isPending} choose={(address) => enter.mutate({ email: address, password: 'demo-password' })} />
      </div>
    </main>
  );
}
