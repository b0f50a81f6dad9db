import { humanise } from '../../i18n/format';
import type { MessageKey } from '../../i18n/messages';

/** An action's name in the panel's language; one of a plugin is made readable. */
export function actionLabel(t: (key: MessageKey) => string, action: string): string {
  return action === 'hide' || action === 'unhide' ? t(`action.${action}`) : humanise(action);
}
