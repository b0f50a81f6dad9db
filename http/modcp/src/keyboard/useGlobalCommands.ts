import { useNavigate } from 'react-router';
import { sections } from '../admin/sections';
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
          ...sections.map(([path, , label]) => ({ id: `admin-${path}`, title: `${t('nav.admin')}: ${t(label)}`, run: () => void navigate(`/admin/core/${path}`) })),
          { id: 'admin-ladder', title: `${t('nav.admin')}: ${t('ladder.title')}`, run: () => void navigate('/admin/core/policies/ladder') },
        ]
      : []),
    { id: 'go-account', title: t('account.title'), run: () => void navigate('/account') },
    { id: 'help', title: t('help.title'), hint: shortcuts.everywhere.help.key, run: () => show('help') },
  ]);
}
