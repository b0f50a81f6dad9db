import { asApiError } from '../api/http';
import { useI18n } from '../i18n/I18n';
import { validationIssues } from '../ui/useErrorText';
import { faultKey } from './faultMessages';
import { useSignInErrorText } from './useSignInErrorText';

interface Faults {
  /** What is wrong with a field, or undefined. */
  at: (path: string) => string | undefined;
  /** What went wrong beside the fields that the form shows, or null. */
  otherThan: (...shown: string[]) => string | null;
}

/** Puts what a server refused beside the fields of a form, in the panel's language. */
export function useFaults(error: unknown): Faults {
  const { t } = useI18n();
  const errorText = useSignInErrorText();
  const failure = error === null ? null : asApiError(error);
  const issues = failure === null ? [] : validationIssues(failure);
  const text = (some: typeof issues) =>
    some.map((issue) => {
      const key = faultKey(issue);
      return key === null ? issue.message : t(key);
    }).join(' ');
  return {
    at: (path) => text(issues.filter((issue) => issue.path === path)) || undefined,
    otherThan: (...shown) => {
      if (failure === null) return null;
      if (issues.length === 0) return errorText(failure);
      return text(issues.filter((issue) => !shown.includes(issue.path))) || null;
    },
  };
}
