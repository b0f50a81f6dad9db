import type { ReactNode } from 'react';
import { asApiError } from '../api/http';
import { useI18n } from '../i18n/I18n';
import { validationIssues } from '../ui/useErrorText';
import { EntryPage } from './EntryPage';

/** Reports whether the server refused a link that was used already or has expired. */
export function hasDeadLink(error: unknown): boolean {
  return error !== null && validationIssues(asApiError(error)).some((issue) => issue.code === 'invalid_link');
}

export function DeadLink({ hint, children }: { hint: string; children?: ReactNode }) {
  const { t } = useI18n();
  return (
    <EntryPage title={t('fault.link')}>
      <p role="alert">{hint}</p>
      {children}
    </EntryPage>
  );
}
