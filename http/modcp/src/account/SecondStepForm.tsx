import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { signInByFactor, type Proof, type SecondStep } from '../api/factors';
import { asApiError } from '../api/http';
import type { User } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { Form } from '../ui/Form';
import classes from './EntryPage.module.css';
import { hasPasskeys, provePasskey } from './passkeys';
import { useSignInErrorText } from './useSignInErrorText';

type Kind = SecondStep['kinds'][number];

/** The second step of a sign-in, by one of the factors that the account has. */
export function SecondStepForm({ step, done, over }: { step: SecondStep; done: (user: User) => void; over: () => void }) {
  const { t } = useI18n();
  const kinds = step.kinds.filter((kind) => kind !== 'passkey' || hasPasskeys());
  const [kind, setKind] = useState<Kind | undefined>(kinds[0]);
  const [text, setText] = useState('');
  const fault = useSecondStepFault();
  const prove = useMutation({
    mutationFn: async (given: Kind) => {
      const proof: Proof =
        given === 'passkey' ? { passkey: await provePasskey(step.passkey!) } : given === 'totp' ? { code: text } : { recovery: text };
      return signInByFactor(step.token, proof);
    },
    onSuccess: ({ user }) => done(user),
    onError: () => setText(''),
  });
  const ended = prove.isError && asApiError(prove.error).code === 'unauthorized';
  if (kind === undefined || ended) {
    return (
      <div className={classes.form}>
        <p role="alert">{t(ended ? 'factor.over' : 'factor.none')}</p>
        <Button fullWidth onClick={over} autoFocus>
          {t('factor.again')}
        </Button>
      </div>
    );
  }
  const choose = (next: Kind) => {
    setKind(next);
    setText('');
    prove.reset();
  };
  return (
    <Form className={classes.form} label={t('factor.second')} submit={() => prove.mutate(kind)} fault={prove.isError ? fault(prove.error) : null}>
      <p className={classes.hint}>{t(`factor.ask.${kind}`)}</p>
      {kind !== 'passkey' && (
        <TextInput
          key={kind}
          label={t(`factor.field.${kind}`)}
          name={kind === 'totp' ? 'one-time-code' : 'recovery-code'}
          inputMode={kind === 'totp' ? 'numeric' : 'text'}
          autoComplete={kind === 'totp' ? 'one-time-code' : 'off'}
          spellCheck={false}
          dir="ltr"
          maxLength={60}
          required
          autoFocus
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      <Button type="submit" fullWidth loading={prove.isPending} autoFocus={kind === 'passkey'}>
        {t(kind === 'passkey' ? 'factor.usePasskey' : 'session.signIn')}
      </Button>
      {kinds
        .filter((other) => other !== kind)
        .map((other) => (
          <Button key={other} variant="subtle" size="compact-md" onClick={() => choose(other)}>
            {t(`factor.instead.${other}`)}
          </Button>
        ))}
    </Form>
  );
}

/** One sentence about why a factor was refused, or the browser made no passkey. */
export function useSecondStepFault(): (error: unknown) => string {
  const { t } = useI18n();
  const errorText = useSignInErrorText();
  return (error) => {
    if (error instanceof DOMException) return t(error.name === 'InvalidStateError' ? 'factor.passkeyKnown' : 'factor.passkeyCancelled');
    const failure = asApiError(error);
    if (failure.code === 'invalid_credentials') return t('factor.wrong');
    if (failure.code === 'rate_limited') return t('factor.limited');
    return errorText(failure);
  };
}
