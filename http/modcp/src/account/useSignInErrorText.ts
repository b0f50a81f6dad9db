import { useCallback } from 'react';
import type { ApiError } from '../api/http';
import { useI18n } from '../i18n/I18n';
import { useErrorText } from '../ui/useErrorText';

/** One sentence about why a password was refused. Limits here are minutes long. */
export function useSignInErrorText(): (failure: ApiError) => string {
  const { t } = useI18n();
  const errorText = useErrorText();
  return useCallback(
    (failure: ApiError) => {
      if (failure.code === 'invalid_credentials') return t('session.invalid');
      if (failure.code === 'rate_limited') return t('session.limited', { minutes: Math.max(1, Math.ceil((failure.retryAfter ?? 60) / 60)) });
      return errorText(failure);
    },
    [t, errorText],
  );
}
