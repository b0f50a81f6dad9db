import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useFaults } from '../../account/useFaults';
import { asApiError } from '../../api/http';
import { keys } from '../../api/queryKeys';
import { inviteAccount } from '../../api/users';
import { useI18n } from '../../i18n/I18n';
import { Dialog } from '../../ui/Dialog';
import { Form, FormButtons } from '../../ui/Form';
import { Secret } from '../../ui/Secret';
import classes from '../shared/Admin.module.css';

/** Makes an account. Its link is mailed, or else shown once to be passed on. */
export function InviteUser({ close }: { close: () => void }) {
  const { t, locale } = useI18n();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const invite = useMutation({
    mutationFn: () => inviteAccount({ email, name }, locale.id),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.accounts }),
  });
  const faults = useFaults(invite.error);
  const exists = invite.isError && asApiError(invite.error).code === 'already_exists';
  const other = exists ? null : faults.otherThan('email', 'name');
  const made = invite.data;
  const shown = made?.link != null;
  return (
    <Dialog close={close} title={t('users.inviteTitle')} closeOnClickOutside={!shown}>
      {made !== undefined ? (
        <div className={classes.form}>
          <p className={classes.detail} role="status">
            {made.link === null ? t('users.mailed', { email: made.email ?? made.name }) : t('users.linkOnce')}
          </p>
          {made.link !== null && <Secret text={made.link} label={t('users.inviteTitle')} />}
          <Button onClick={close}>{t('action.close')}</Button>
        </div>
      ) : (
        <Form className={classes.form} submit={() => invite.mutate()} fault={other}>
          <p className={classes.detail}>{t('users.inviteHint')}</p>
          <TextInput label={t('account.name')} data-autofocus required maxLength={100} value={name} error={faults.at('name')} onChange={(event) => setName(event.currentTarget.value)} />
          <TextInput
            label={t('session.email')}
            type="email"
            required
            value={email}
            error={exists ? t('users.exists') : faults.at('email')}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <FormButtons cancel={close} submit={t('users.inviteSend')} loading={invite.isPending} />
        </Form>
      )}
    </Dialog>
  );
}
