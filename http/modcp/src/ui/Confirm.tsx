import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useI18n } from '../i18n/I18n';
import { Dialog } from './Dialog';

interface Props {
  title: string;
  /** What will be removed or started. */
  children: ReactNode;
  /** The label of the button that confirms. */
  action: string;
  danger?: boolean;
  confirm: () => void;
  close: () => void;
}

/** Asks before something that cannot be undone. */
export function Confirm({ title, children, action, danger = false, confirm, close }: Props) {
  const { t } = useI18n();
  return (
    <Dialog close={close} size="sm" title={title}>
      <Stack gap="sm">
        {children}
        <Group gap="xs" justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            {t('action.cancel')}
          </Button>
          <Button
            color={danger ? 'red.9' : undefined}
            onClick={() => {
              confirm();
              close();
            }}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
