import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useI18n } from '../i18n/I18n';

type Props = Omit<ModalProps, 'opened' | 'onClose' | 'closeButtonProps'> & { opened?: boolean; close: () => void };

/** A modal dialog whose close button has a name. It is open by default, and leaves the focus where it was. */
export function Dialog({ opened = true, close, ...props }: Props) {
  const { t } = useI18n();
  const [before] = useState(() => document.activeElement as HTMLElement | null);
  useEffect(() => () => {
    if (document.activeElement === document.body) before?.focus({ preventScroll: true });
  }, [before]);
  return <Modal opened={opened} onClose={close} closeButtonProps={{ 'aria-label': t('action.close') }} {...props} />;
}
