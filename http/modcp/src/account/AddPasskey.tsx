import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { addPasskey, beginPasskey } from '../api/factors';
import { useI18n } from '../i18n/I18n';
import { Dialog } from '../ui/Dialog';
import { Form, FormButtons } from '../ui/Form';
import classes from './Account.module.css';
import { deviceName } from './deviceName';
import { makePasskey } from './passkeys';
import { useFaults } from './useFaults';
import { useSecondStepFault } from './SecondStepForm';

interface Props {
  done: (recovery: string[] | null) => void;
  /** Called with what went wrong if the person has to sign in again first. */
  refused: (error: unknown, retry: () => void) => boolean;
  close: () => void;
}

/** Has the browser make a passkey. */
export function AddPasskey({ done, refused, close }: Props) {
  const { t } = useI18n();
  const { browser, system } = deviceName(navigator.userAgent);
  const [name, setName] = useState([browser, system].filter(Boolean).join(', '));
  const add = useMutation({
    mutationFn: async () => addPasskey(name, await makePasskey(await beginPasskey())),
    onSuccess: ({ recovery }) => done(recovery),
    onError: (error) => {
      if (refused(error, () => add.mutate())) add.reset();
    },
  });
  const faults = useFaults(add.error instanceof DOMException ? null : add.error);
  const fault = useSecondStepFault();
  return (
    <Dialog close={close} size="sm" title={t('factors.addPasskey')} closeOnClickOutside={false}>
      <Form className={classes.form} submit={() => add.mutate()} fault={add.error instanceof DOMException ? fault(add.error) : faults.otherThan('name')}>
        <TextInput
          label={t('factors.passkeyName')}
          description={t('factors.passkeyNameHint')}
          data-autofocus
          required
          maxLength={100}
          value={name}
          error={faults.at('name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <FormButtons cancel={close} submit={t('factors.addPasskey')} loading={add.isPending} />
      </Form>
    </Dialog>
  );
}
