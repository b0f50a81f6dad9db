import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changeName } from '../api/account';
import { useI18n } from '../i18n/I18n';
import { Form } from '../ui/Form';
import { useToasts } from '../ui/Toasts';
import classes from './Account.module.css';
import { useFaults } from './useFaults';

/** The name that everybody sees, also on what the person did before. */
export function OwnName({ name }: { name: string }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const toasts = useToasts();
  const [chosen, setChosen] = useState(name);
  const change = useMutation({
    mutationFn: () => changeName(chosen),
    onSuccess: () => {
      toasts.show({ text: t('account.renamed') });
      // The name is part of nearly everything that is shown.
      return client.invalidateQueries();
    },
  });
  const faults = useFaults(change.error);
  return (
    <Form className={classes.form} submit={() => change.mutate()} fault={faults.otherThan('name')}>
      <TextInput
        label={t('account.name')}
        name="name"
        autoComplete="name"
        dir="auto"
        required
        maxLength={100}
        value={chosen}
        error={faults.at('name')}
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={change.isPending} disabled={chosen.trim() === name}>
        {t('account.rename')}
      </Button>
    </Form>
  );
}
