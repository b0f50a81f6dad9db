import { Button, PasswordInput } from '@mantine/core';
import '@mantine/core/styles/PasswordInput.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import type { SecondStep } from '../api/factors';
import { asApiError } from '../api/http';
import { keys } from '../api/queryKeys';
import { oidcStart, signIn, type SignInWays } from '../api/session';
import type { User } from '../api/types';
import { DemoAccounts } from '../demo/DemoAccounts';
import { useI18n } from '../i18n/I18n';
import { localPath } from '../session/localPath';
import { firstScreen, setUser, useSession } from '../session/useSession';
import { Callout } from '../ui/Callout';
import { Form } from '../ui/Form';
import { Loading } from '../ui/States';
import classes from './EntryPage.module.css';
import { EmailField } from './EmailField';
import { EntryPage } from './EntryPage';
import { SecondStepForm } from './SecondStepForm';
import { useSignInErrorText } from './useSignInErrorText';

/** Offered if the server does not say how one can sign in. */
const usualWays: SignInWays = { passwords: true, oidc: null };

export function SignIn() {
  const { t } = useI18n();
  const session = useSession();
  return (
    <EntryPage title={t('session.title')}>
      {session.isPending ? <Loading rows={3} height={34} /> : <Ways {...(session.data?.signIn ?? usualWays)} />}
    </EntryPage>
  );
}

function Ways({ passwords, oidc }: SignInWays) {
  const { t } = useI18n();
  const [params] = useSearchParams();
  const errorText = useSignInErrorText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const next = localPath(params.get('next'));

  const [step, setStep] = useState<SecondStep | null>(null);
  const done = async (user: User) => {
    client.removeQueries({ predicate: (query) => query.queryKey[0] !== 'messages' && query.queryKey[0] !== 'session' });
    setUser(client, user);
    // It says whether the account needs a second factor first.
    await client.refetchQueries({ queryKey: keys.session }).catch(() => undefined);
    void navigate(next ?? firstScreen(user), { replace: true });
  };
  const enter = useMutation({
    mutationFn: (account: { email: string; password: string }) => signIn(account.email, account.password),
    onSuccess: ({ user, factor }) => (factor === undefined ? done(user) : setStep(factor)),
  });

  if (step !== null) return <SecondStepForm step={step} done={(user) => void done(user)} over={() => setStep(null)} />;
  return (
    <>
      {oidc !== null && (
        <>
          <ProviderFailure code={params.get('oidc')} name={oidc.name} passwords={passwords} />
          {/* Who signs in is known only afterwards, so the start page finds the first screen. */}
          <Button component="a" href={oidcStart(next ?? '/start')} fullWidth variant={passwords ? 'default' : 'filled'}>
            {t('session.signInWith', { name: oidc.name })}
          </Button>
          {passwords && <p className={classes.or}>{t('session.or')}</p>}
        </>
      )}
      {passwords && (
        <>
          <PasswordForm
            fault={enter.isError ? errorText(asApiError(enter.error)) : null}
            pending={enter.isPending}
            send={(email, password) => enter.mutate({ email, password })}
          />
          <DemoAccounts disabled={enter.isPending} choose={(address) => enter.mutate({ email: address, password: 'demo-password' })} />
        </>
      )}
    </>
  );
}

/** Says why signing in by the identity provider failed. */
function ProviderFailure({ code, name, passwords }: { code: string | null; name: string; passwords: boolean }) {
  const { t } = useI18n();
  if (code === null) return null;
  return (
    <Callout tone="red" alert>
      {code === 'unavailable' ? t(passwords ? 'session.providerDownUsePassword' : 'session.providerDown', { name }) : t('session.providerRefused', { name })}
    </Callout>
  );
}

function PasswordForm({ fault, pending, send }: { fault: string | null; pending: boolean; send: (email: string, password: string) => void }) {
  const { t } = useI18n();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  return (
    <Form className={classes.form} submit={() => send(email, password)} fault={fault}>
      <EmailField value={email} change={setEmail} autoFocus />
      <PasswordInput
        label={t('session.password')}
        name="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Button type="submit" fullWidth mt={6} loading={pending}>
        {t('session.signIn')}
      </Button>
      <Link to="/forgot" className={classes.link}>
        {t('forgot.link')}
      </Link>
    </Form>
  );
}
