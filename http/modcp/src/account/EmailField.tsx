import { TextInput } from '@mantine/core';
import { useI18n } from '../i18n/I18n';

interface Props {
  value: string;
  change: (value: string) => void;
  fault?: string;
  autoFocus?: boolean;
}

/** The address of one's own account, which password managers take for its name. */
export function EmailField({ value, change, fault, autoFocus }: Props) {
  const { t } = useI18n();
  return (
    <TextInput
      label={t('session.email')}
      type="email"
      name="email"
      autoComplete="username"
      required
      autoFocus={autoFocus}
      value={value}
      error={fault}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}
