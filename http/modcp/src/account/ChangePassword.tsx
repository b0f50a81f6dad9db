import { Button, Checkbox, PasswordInput } from '@mantine/core';
import '@mantine/core/styles/PasswordInput.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changePassword } from '../api/account';
import { asApiError } from '../api/http';
import { keys } from '../api/queryKeys';
import { useI18n } from '../i18n/I18n';
import { useSession } from '../session/useSession';
import { Form } from '../ui/Form';
import { Panel } from '../ui/Panel';
import { useToasts } from '../ui/Toasts';
import classes from './Account.module.css';
import { NewPasswordField } from './NewPasswordField';
import { useFaults } from './useFaults';

/** The password of an account that has one. */
export function ChangePassword({ email }: { email: string | null }) {
  const { t } = useI18n();
  const passwords = useSession().data?.signIn.passwords !== false;
  return (
    <Panel title={t('password.change')} id="account-password">
      {passwords && email !== null ? <PasswordForm email={email} /> : <p className={`small ${classes.muted}`}>{t(passwords ? 'password.noEmail' : 'password.off')}</p>}
    </Panel>
  );
}

function PasswordForm({ email }: { email: string }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const toasts = useToasts();
  const [current, setCurrent] = useState('');
  const [chosen, setChosen] = useState('');
  const [keepTokens, setKeepTokens] = useState(false);
  const change = useMutation({
    mutationFn: () => changePassword(current, chosen, keepTokens),
    onSuccess: () => {
      setCurrent('');
      setChosen('');
      toasts.show({ text: t('password.changed') });
      void client.invalidateQueries({ queryKey: keys.ownTokens });
      return client.invalidateQueries({ queryKey: keys.ownSessions });
    },
  });
  const faults = useFaults(change.error);
  const wrong = change.isError && asApiError(change.error).code === 'invalid_credentials';
  const other = wrong ? null : faults.otherThan('current', 'new');
  return (
    <Form className={classes.form} submit={() => change.mutate()} fault={other}>
      {/* Tells password managers whose password this is. */}
      <input type="hidden" name="username" autoComplete="username" value={email} />
      <PasswordInput
        label={t('password.current')}
        name="current-password"
        autoComplete="current-password"
        required
        value={current}
        error={wrong ? t('password.wrong') : faults.at('current')}
        onChange={(event) => setCurrent(event.currentTarget.value)}
      />
      <NewPasswordField label={t('password.new')} value={chosen} change={setChosen} fault={faults.at('new')} />
      <Checkbox label={t('password.keepTokens')} checked={keepTokens} onChange={(event) => setKeepTokens(event.currentTarget.checked)} />
      <p className={`small ${classes.muted}`}>{t(keepTokens ? 'password.changeHint' : 'password.changeHintTokens')}</p>
      <Button type="submit" loading={change.isPending}>
        {t('password.change')}
      </Button>
    </Form>
  );
}
