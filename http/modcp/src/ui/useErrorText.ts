import { useCallback } from 'react';
import { asApiError, type ApiError } from '../api/http';
import type { ValidationIssue } from '../api/types';
import { useI18n } from '../i18n/I18n';

/** One sentence for a person about a failed request, in the panel's language. */
export function useErrorText(): (error: unknown) => string {
  const { t, known } = useI18n();
  return useCallback(
    (error: unknown) => {
      const failure = asApiError(error);
      if (failure.code === 'rate_limited') return t('error.rate_limited', { seconds: failure.retryAfter ?? 60 });
      if (failure.code === 'validation_failed') {
        const details = validationIssues(failure).map((issue) => issue.message);
        return details.length === 0 ? t('error.validation_failed') : details.join(' ');
      }
      return known(`error.${failure.code}`) ?? (failure.message !== '' ? failure.message : t('error.internal'));
    },
    [t, known],
  );
}

export function validationIssues(error: ApiError): ValidationIssue[] {
  return Array.isArray(error.body.issues) ? (error.body.issues as ValidationIssue[]) : [];
}
