import { Modal, type ModalProps } from '@mantine/core';
import { useI18n } from '../i18n/I18n';

type Props = Omit<ModalProps, 'opened' | 'onClose' | 'closeButtonProps'> & { opened?: boolean; close: () => void };

/** A modal dialog whose close button has a name. It is open by default. */
export function Dialog({ opened = true, close, ...props }: Props) {
  const { t } = useI18n();
  return <Modal opened={opened} onClose={close} closeButtonProps={{ 'aria-label': t('action.close') }} {...props} />;
}
