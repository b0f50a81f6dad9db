import type { MessageKey } from '../i18n/messages';
import type { IconName } from '../ui/Icon';

type Section = readonly [path: string, icon: IconName, label: MessageKey];

/** The screens of the administration, as its menu groups them: people, rules and accountability, connections, operation. */
export const sectionGroups: readonly (readonly Section[])[] = [
  [
    ['staff/moderators', 'users', 'admin.moderators'],
    ['staff/admins', 'shield', 'admin.admins'],
    ['users', 'user', 'admin.users'],
  ],
  [
    ['policies', 'book', 'admin.policies'],
    ['rules', 'filter', 'admin.rules'],
    ['quality', 'note', 'seconds.title'],
    ['holds', 'scales', 'admin.holds'],
    ['statements', 'file', 'admin.statements'],
    ['transparency', 'eye', 'admin.transparency'],
  ],
  [
    ['platforms', 'globe', 'admin.platforms'],
    ['webhooks', 'link', 'admin.webhooks'],
    ['integrations', 'bolt', 'admin.integrations'],
  ],
  [
    ['advanced/cron', 'clock', 'admin.cron'],
    ['advanced/queue', 'layers', 'admin.queue'],
    ['advanced/poison', 'warning', 'admin.poison'],
    ['advanced/projections', 'chart', 'admin.projections'],
    ['events', 'history', 'admin.events'],
    ['system', 'gear', 'admin.system'],
  ],
];

/** All of them, in the order of the menu. The palette leads to them too. */
export const sections: readonly Section[] = sectionGroups.flat();
