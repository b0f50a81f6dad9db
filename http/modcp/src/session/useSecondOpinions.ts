import { usePermission } from './usePermission';
import { useSession } from './useSession';

/** Reports whether second opinions are for the user: decisions are drawn here, and they may give or see some. */
export function useSecondOpinions(): boolean {
  const drawn = useSession().data?.seconds === true;
  const gives = usePermission('can_manage_reports');
  const sees = usePermission('can_view_quality');
  return drawn && (gives || sees);
}
