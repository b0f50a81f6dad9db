import { useQuery, useQueryClient } from '@tanstack/react-query';
import { listAppeals } from '../api/appeals';
import { keys } from '../api/queryKeys';
import { useI18n } from '../i18n/I18n';
import { useLive } from '../live/LiveProvider';
import { usePainted } from '../ui/usePainted';
import { concernsAppeals } from './concernsAppeals';

/** Up to how many are counted. */
const counted = 25;

/** How many appeals somebody may decide; takes no room while there are none. */
export function AppealsCount() {
  const { t, number } = useI18n();
  const client = useQueryClient();
  const { data } = useQuery({ queryKey: [...keys.appeals, 'count'], queryFn: ({ signal }) => listAppeals({ status: 'open', mine: true, first: counted }, signal), staleTime: 60_000, enabled: usePainted(true) });
  useLive((event) => {
    if (event.kind === 'change' && concernsAppeals.has(event.type)) void client.invalidateQueries({ queryKey: [...keys.appeals, 'count'] });
  });
  const count = data?.edges.length ?? 0;
  if (count === 0) return null;
  const shown = data!.pageInfo.hasNextPage ? `${number(count)}+` : number(count);
  return (
    <b data-appeals-count>
      <span aria-hidden="true">{shown}</span>
      <span className="visually-hidden">{t('appeals.waiting', { count: shown })}</span>
    </b>
  );
}
