import { en } from '../../i18n/en';
import { humanise } from '../../i18n/format';
import type { MessageKey } from '../../i18n/messages';

/** An action's name in the panel's language; one of a plugin is made readable. */
export function actionLabel(t: (key: MessageKey) => string, action: string): string {
  const key = `action.${action}`;
  return (action === 'hide' || action === 'unhide') && key in en ? t(key as MessageKey) : humanise(action);
}
