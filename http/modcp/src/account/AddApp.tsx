import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { confirmTotp, type NewTotp } from '../api/factors';
import { useI18n } from '../i18n/I18n';
import { Dialog } from '../ui/Dialog';
import { Form, FormButtons } from '../ui/Form';
import { Secret } from '../ui/Secret';
import classes from './Account.module.css';
import { useFaults } from './useFaults';

/** Shows a new key for an authenticator app and asks for a code of it. */
export function AddApp({ made, done, close }: { made: NewTotp; done: (recovery: string[] | null) => void; close: () => void }) {
  const { t } = useI18n();
  const [code, setCode] = useState('');
  const confirm = useMutation({ mutationFn: () => confirmTotp(code), onSuccess: ({ recovery }) => done(recovery), onError: () => setCode('') });
  const faults = useFaults(confirm.error);
  return (
    <Dialog close={close} title={t('factors.addApp')} closeOnClickOutside={false}>
      <Form className={classes.form} submit={() => confirm.mutate()} fault={faults.otherThan('code')}>
        <p className={`small ${classes.muted}`}>{t('factors.scan')}</p>
        <img className={classes.qr} src={made.qr} alt={t('factors.qr')} width={220} height={220} />
        <Secret text={made.secret.replace(/(.{4})(?=.)/g, '$1 ')} label={t('factors.key')} />
        <TextInput
          label={t('factor.field.totp')}
          name="one-time-code"
          inputMode="numeric"
          autoComplete="one-time-code"
          dir="ltr"
          maxLength={20}
          required
          data-autofocus
          value={code}
          error={faults.at('code')}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <FormButtons cancel={close} submit={t('factors.addApp')} loading={confirm.isPending} />
      </Form>
    </Dialog>
  );
}
