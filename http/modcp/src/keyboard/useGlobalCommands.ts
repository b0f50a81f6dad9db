import { useNavigate } from 'react-router';
import { useNextCase } from '../cases/useNextCase';
import { useDecisions } from '../decision/DecisionProvider';
import { useI18n } from '../i18n/I18n';
import { useUser } from '../session/useSession';
import { usePermission } from '../session/usePermission';
import { useSecondOpinions } from '../session/useSecondOpinions';
import { useToasts } from '../ui/Toasts';
import { undoWindow } from '../ui/undoWindow';
import { useCommands } from './CommandProvider';
import { useShortcuts } from './ShortcutProvider';
import { bind, shortcuts } from './shortcuts';

/** What lies over any screen. */
export type Overlay = 'palette' | 'help';

/** The shortcuts and the commands of the palette that every screen has. */
export function useGlobalCommands(show: (overlay: Overlay) => void): void {
  const { t } = useI18n();
  const user = useUser();
  const decidesAppeals = usePermission('can_decide_appeals');
  const secondOpinions = useSecondOpinions();
  const moderates = user?.isModerator === true;
  const manages = usePermission('can_manage_reports');
  const works = moderates || user?.isAdmin === true;
  const navigate = useNavigate();
  const toasts = useToasts();

  const nextCase = useNextCase();
  const { held, takeBack } = useDecisions();
  const undo = () => {
    const newest = [...held.values()].findLast(({ until }) => until > 0);
    if (toasts.undoLast(newest === undefined ? 0 : newest.until - undoWindow * 1000)) return;
    if (newest !== undefined) takeBack(newest.report.id);
  };
  useShortcuts(
    works
      ? bind('everywhere', { nextCase: () => void (manages ? nextCase() : undefined), undo, palette: () => show('palette'), help: () => show('help') })
      : { [shortcuts.everywhere.undo.key]: undo },
  );

  useCommands([
    ...(moderates
      ? [
          { id: 'go-reports', title: t('nav.reports'), run: () => void navigate('/modcp/reports') },
          { id: 'go-mine', title: `${t('nav.reports')}: ${t('board.mine')}`, run: () => void navigate('/modcp/reports?status=all&assigned=me') },
          ...(decidesAppeals ? [{ id: 'go-appeals', title: t('nav.appeals'), run: () => void navigate('/modcp/appeals') }] : []),
          ...(manages ? [{ id: 'next-case', title: t('key.nextCase'), hint: shortcuts.everywhere.nextCase.key, run: () => void nextCase() }] : []),
          { id: 'go-cases', title: t('cases.title'), run: () => void navigate('/modcp/cases') },
          ...(secondOpinions ? [{ id: 'go-seconds', title: t('seconds.title'), run: () => void navigate('/modcp/seconds') }] : []),
          { id: 'go-measures', title: t('measures.title'), run: () => void navigate('/modcp/measures') },
          { id: 'go-dashboard', title: t('nav.dashboard'), run: () => void navigate('/modcp/dashboard') },
        ]
      : []),
    ...(user?.isAdmin === true
      ? [
          { id: 'go-staff', title: t('admin.moderators'), run: () => void navigate('/admin/core/staff/moderators') },
          { id: 'go-users', title: t('admin.users'), run: () => void navigate('/admin/core/users') },
          { id: 'go-policies', title: t('admin.policies'), run: () => void navigate('/admin/core/policies') },
          { id: 'go-ladder', title: t('ladder.title'), run: () => void navigate('/admin/core/policies/ladder') },
          { id: 'go-rules', title: t('admin.rules'), run: () => void navigate('/admin/core/rules') },
          { id: 'go-quality', title: t('seconds.setting'), run: () => void navigate('/admin/core/quality') },
          { id: 'go-platforms', title: t('admin.platforms'), run: () => void navigate('/admin/core/platforms') },
          { id: 'go-cron', title: t('admin.cron'), run: () => void navigate('/admin/core/advanced/cron') },
          { id: 'go-queue', title: t('admin.queue'), run: () => void navigate('/admin/core/advanced/queue') },
          { id: 'go-poison', title: t('admin.poison'), run: () => void navigate('/admin/core/advanced/poison') },
          { id: 'go-projections', title: t('admin.projections'), run: () => void navigate('/admin/core/advanced/projections') },
          { id: 'go-events', title: t('admin.events'), run: () => void navigate('/admin/core/events') },
          { id: 'go-webhooks', title: t('admin.webhooks'), run: () => void navigate('/admin/core/webhooks') },
          { id: 'go-integrations', title: t('admin.integrations'), run: () => void navigate('/admin/core/integrations') },
          { id: 'go-system', title: t('admin.system'), run: () => void navigate('/admin/core/system') },
        ]
      : []),
    { id: 'go-account', title: t('account.title'), run: () => void navigate('/account') },
    { id: 'help', title: t('help.title'), hint: shortcuts.everywhere.help.key, run: () => show('help') },
  ]);
}
