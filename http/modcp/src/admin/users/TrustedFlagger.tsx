import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useFaults } from '../../account/useFaults';
import { keys } from '../../api/queryKeys';
import { setTrusted, type Account } from '../../api/users';
import { useI18n } from '../../i18n/I18n';
import { Dialog } from '../../ui/Dialog';
import { Form, FormButtons } from '../../ui/Form';
import { flaggerNameLimit, length } from '../../ui/limits';
import { PersonName } from '../../ui/PersonName';
import { useToasts } from '../../ui/Toasts';
import classes from '../shared/Admin.module.css';

/** Marks an account as a trusted flagger of an organisation, or takes the mark away. */
export function TrustedFlagger({ account, close }: { account: Account; close: () => void }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const toasts = useToasts();
  const [name, setName] = useState(account.trustedName ?? '');
  const change = useMutation({
    mutationFn: (trusted: boolean) => setTrusted(account.id, trusted ? name : null),
    onSuccess: async (changed) => {
      toasts.show({ text: t(changed.trusted ? 'users.isTrusted' : 'users.isNotTrusted', { name: changed.name }) });
      close();
      await client.invalidateQueries({ queryKey: keys.accounts });
    },
  });
  const faults = useFaults(change.error);
  return (
    <Dialog close={close} title={t('users.trust')}>
      <Form className={classes.form} submit={() => change.mutate(true)} fault={faults.otherThan('name')}>
        <PersonName person={account} />
        <p className={classes.detail}>{t('users.trustHint')}</p>
        <TextInput
          label={t('users.trustedName')}
          data-autofocus
          required
          dir="auto"
          maxLength={flaggerNameLimit}
          value={name}
          error={faults.at('name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {account.trusted && (
          <Button variant="default" c="var(--d-red)" loading={change.isPending && !change.variables} onClick={() => change.mutate(false)}>
            {t('users.distrust')}
          </Button>
        )}
        <FormButtons cancel={close} submit={t('users.trustSave')} disabled={length(name) === 0} loading={change.isPending && change.variables} />
      </Form>
    </Dialog>
  );
}
