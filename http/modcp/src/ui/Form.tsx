import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useI18n } from '../i18n/I18n';
import { Callout } from './Callout';

interface Props {
  submit: () => void;
  /** What Escape does, once no list is open. */
  cancel?: () => void;
  /** What went wrong, shown above the fields. */
  fault?: ReactNode;
  id?: string;
  label?: string;
  className?: string;
  children: ReactNode;
}

/** A form. Enter presses its submit button from a field of one line or a choice that is made, Ctrl+Enter from any field; in an open list, Enter chooses and sends nothing. */
export function Form({ submit, cancel, fault = null, id, label, className, children }: Props) {
  return (
    <form
      id={id}
      aria-label={label}
      className={className}
      onKeyDown={(event) => {
        const target = event.target as Element;
        // A dialog over the form is a child of it in React alone.
        if (!event.currentTarget.contains(target)) return;
        const listed = target.getAttribute('aria-expanded') === 'true';
        if (event.key === 'Enter' && (listed || event.ctrlKey || event.metaKey || target.matches('[role="radio"][aria-checked="true"]'))) {
          event.preventDefault();
          if (!listed) event.currentTarget.querySelector<HTMLButtonElement>('[type="submit"]')?.click();
        } else if (event.key === 'Escape' && !listed && cancel !== undefined) {
          event.stopPropagation();
          cancel();
        }
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
