import { PasswordInput } from '@mantine/core';
import '@mantine/core/styles/PasswordInput.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SecondStep } from '../api/factors';
import { asApiError } from '../api/http';
import { keys } from '../api/queryKeys';
import { signIn } from '../api/session';
import { useI18n } from '../i18n/I18n';
import { Dialog } from '../ui/Dialog';
import { Form, FormButtons } from '../ui/Form';
import classes from './Account.module.css';
import { SecondStepForm } from './SecondStepForm';
import { useSignInErrorText } from './useSignInErrorText';

/** Asks who is signed in to prove it again, before a change that needs a recent sign-in. */
export function SignInAgain({ email, done, close }: { email: string; done: () => void; close: () => void }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const errorText = useSignInErrorText();
  const [password, setPassword] = useState('');
  const [step, setStep] = useState<SecondStep | null>(null);
  const finish = () => {
    void client.invalidateQueries({ queryKey: keys.ownSessions });
    close();
    done();
  };
  const enter = useMutation({
    mutationFn: () => signIn(email, password),
    onSuccess: ({ factor }) => (factor === undefined ? finish() : setStep(factor)),
  });
  return (
    <Dialog close={close} size="sm" title={t('factor.you')}>
      {step !== null ? (
        <SecondStepForm step={step} done={finish} over={() => setStep(null)} />
      ) : (
        <Form className={classes.form} submit={() => enter.mutate()} fault={enter.isError ? errorText(asApiError(enter.error)) : null}>
          <p className={`small ${classes.muted}`}>{t('factor.youHint')}</p>
          <input type="hidden" name="username" autoComplete="username" value={email} />
          <PasswordInput
            label={t('session.password')}
            name="password"
            autoComplete="current-password"
            required
            data-autofocus
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <FormButtons cancel={close} submit={t('factor.continue')} loading={enter.isPending} />
        </Form>
      )}
    </Dialog>
  );
}
