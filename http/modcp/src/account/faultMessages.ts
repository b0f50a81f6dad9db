import type { MessageKey } from '../i18n/messages';
import type { ValidationIssue } from '../api/types';

const passwords = new Set(['password', 'new']);

/** The message for a fault of an account's field, or null for one that the panel does not know. */
export function faultKey({ path, code }: ValidationIssue): MessageKey | null {
  switch (code) {
    case 'too_short':
      return 'fault.passwordShort';
    case 'too_long':
      return passwords.has(path) ? 'fault.passwordLong' : 'fault.long';
    case 'is_email':
      return 'fault.passwordIsEmail';
    case 'required':
      return 'fault.required';
    case 'invalid_email':
      return 'fault.email';
    case 'invalid_text':
      return 'fault.text';
    case 'too_many':
      return 'fault.tokens';
    case 'wrong_code':
      return 'factors.wrongCode';
    case 'invalid_link':
      return 'fault.link';
    default:
      return null;
  }
}
