import { Button, Select, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createToken, type TokenUse } from '../api/account';
import { keys } from '../api/queryKeys';
import type { User } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { Dialog } from '../ui/Dialog';
import { Form, FormButtons } from '../ui/Form';
import { Secret } from '../ui/Secret';
import classes from './Account.module.css';
import { useFaults } from './useFaults';

const lifetimes = [7, 30, 90, 365];
const day = 86_400_000;

/** Makes a token and shows its text, once. */
export function NewToken({ user, close }: { user: User; close: () => void }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const uses: TokenUse[] = ['read', ...(user.isModerator ? (['moderate'] as const) : []), ...(user.isAdmin ? (['admin'] as const) : [])];
  const [name, setName] = useState('');
  const [use, setUse] = useState<TokenUse>(user.isModerator ? 'moderate' : 'read');
  const [days, setDays] = useState(90);
  const make = useMutation({
    mutationFn: () => createToken({ name, use, expiresAt: days === 0 ? null : new Date(Date.now() + days * day).toISOString() }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.ownTokens }),
  });
  const faults = useFaults(make.error);
  const secret = make.data?.token;
  return (
    <Dialog close={close} title={t('tokens.new')} closeOnClickOutside={secret === undefined}>
      {secret !== undefined ? (
        <div className={classes.form}>
          <p role="status">{t('tokens.once')}</p>
          <Secret text={secret} label={t('tokens.new')} />
          <Button onClick={close}>{t('action.close')}</Button>
        </div>
      ) : (
        <Form className={classes.form} submit={() => make.mutate()} fault={faults.otherThan('name')}>
          <TextInput
            label={t('tokens.name')}
            description={t('tokens.nameHint')}
            data-autofocus
            required
            maxLength={100}
            value={name}
            error={faults.at('name')}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Select
            label={t('tokens.use')}
            value={use}
            onChange={(value) => value !== null && setUse(value as TokenUse)}
            data={uses.map((value) => ({ value, label: t(`tokens.use.${value}`) }))}
          />
          <Select
            label={t('tokens.expires')}
            value={String(days)}
            onChange={(value) => setDays(Number(value))}
            data={[...lifetimes.map((value) => ({ value: String(value), label: t('tokens.expiresIn', { days: value }) })), { value: '0', label: t('tokens.never') }]}
          />
          <FormButtons cancel={close} submit={t('tokens.make')} loading={make.isPending} />
        </Form>
      )}
    </Dialog>
  );
}
