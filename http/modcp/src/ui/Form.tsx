import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useI18n } from '../i18n/I18n';
import { Callout } from './Callout';

interface Props {
  submit: () => void;
  /** What went wrong, shown above the fields. */
  fault?: ReactNode;
  id?: string;
  label?: string;
  className?: string;
  children: ReactNode;
}

/** A form. Ctrl+Enter presses its submit button from any field. */
export function Form({ submit, fault = null, id, label, className, children }: Props) {
  return (
    <form
      id={id}
      aria-label={label}
      className={className}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        event.currentTarget.querySelector<HTMLButtonElement>('[type="submit"]')?.click();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {fault !== null && (
        <Callout tone="red" alert>
          {fault}
        </Callout>
      )}
      {children}
    </form>
  );
}

/** The buttons that end a form. */
export function FormButtons({ cancel, submit, disabled, loading }: { cancel: () => void; submit: string; disabled?: boolean; loading: boolean }) {
  const { t } = useI18n();
  return (
    <Group gap="xs" justify="flex-end">
      <Button variant="default" onClick={cancel}>
        {t('action.cancel')}
      </Button>
      <Button type="submit" disabled={disabled} loading={loading}>
        {submit}
      </Button>
    </Group>
  );
}
