import type { MessageKey } from '../i18n/messages';
import type { IconName } from '../ui/Icon';

/** The screens of the administration, in the order of its menu. The palette leads to them too. */
export const sections: readonly (readonly [path: string, icon: IconName, label: MessageKey])[] = [
  ['staff/moderators', 'users', 'admin.moderators'],
  ['staff/admins', 'shield', 'admin.admins'],
  ['users', 'user', 'admin.users'],
  ['policies', 'book', 'admin.policies'],
  ['rules', 'filter', 'admin.rules'],
  ['holds', 'scales', 'admin.holds'],
  ['quality', 'users', 'seconds.title'],
  ['statements', 'external', 'admin.statements'],
  ['transparency', 'eye', 'admin.transparency'],
  ['platforms', 'globe', 'admin.platforms'],
  ['advanced/cron', 'clock', 'admin.cron'],
  ['advanced/queue', 'layers', 'admin.queue'],
  ['advanced/poison', 'warning', 'admin.poison'],
  ['advanced/projections', 'refresh', 'admin.projections'],
  ['events', 'history', 'admin.events'],
  ['webhooks', 'link', 'admin.webhooks'],
  ['integrations', 'bolt', 'admin.integrations'],
  ['system', 'gear', 'admin.system'],
];
