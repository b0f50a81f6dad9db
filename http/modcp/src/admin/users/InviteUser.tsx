import { Button, Group, Modal, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useFaults } from '../../account/useFaults';
import { asApiError } from '../../api/http';
import { keys } from '../../api/keys';
import { inviteAccount } from '../../api/users';
import { useI18n } from '../../i18n/I18n';
import { Callout } from '../../ui/Callout';
import { Secret } from '../../ui/Secret';
import classes from '../shared/Admin.module.css';

/** Makes an account for somebody, who is mailed a link, or passes the link on, once. */
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
    <Modal opened onClose={close} title={t('users.inviteTitle')} closeOnClickOutside={!shown} closeButtonProps={{ 'aria-label': t('action.close') }}>
      {made !== undefined ? (
        <div className={classes.form}>
          <p className={classes.detail} role="status">
            {made.link === null ? t('users.mailed', { email: made.email ?? made.name }) : t('users.linkOnce')}
          </p>
          {made.link !== null && <Secret text={made.link} label={t('users.inviteTitle')} />}
          <Button onClick={close}>{t('action.close')}</Button>
        </div>
      ) : (
        <form
          className={classes.form}
          onSubmit={(event) => {
            event.preventDefault();
            invite.mutate();
          }}
        >
          <p className={classes.detail}>{t('users.inviteHint')}</p>
          {other !== null && (
            <Callout tone="red" alert>
              {other}
            </Callout>
          )}
          <TextInput label={t('account.name')} data-autofocus required maxLength={100} value={name} error={faults.at('name')} onChange={(event) => setName(event.currentTarget.value)} />
          <TextInput
            label={t('session.email')}
            type="email"
            required
            value={email}
            error={exists ? t('users.exists') : faults.at('email')}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <Group gap="xs" justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('action.cancel')}
            </Button>
            <Button type="submit" loading={invite.isPending}>
              {t('users.inviteSend')}
            </Button>
          </Group>
        </form>
      )}
    </Modal>
  );
}
