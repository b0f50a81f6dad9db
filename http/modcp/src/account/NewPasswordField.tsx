import { PasswordInput } from '@mantine/core';
import '@mantine/core/styles/PasswordInput.css';
import { useI18n } from '../i18n/I18n';

interface Props {
  label: string;
  value: string;
  change: (value: string) => void;
  fault?: string;
  autoFocus?: boolean;
}

/** The field of a password that somebody chooses. It can be shown, so it is typed only once. */
export function NewPasswordField({ label, value, change, fault, autoFocus }: Props) {
  const { t } = useI18n();
  return (
    <PasswordInput
      label={label}
      description={t('password.rule')}
      name="new-password"
      autoComplete="new-password"
      required
      autoFocus={autoFocus}
      visibilityToggleButtonProps={{ 'aria-label': t('password.show'), tabIndex: 0 }}
      value={value}
      error={fault}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}
