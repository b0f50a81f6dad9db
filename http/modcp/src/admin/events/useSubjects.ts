import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { LoggedEvent } from '../../api/audit';
import { keys } from '../../api/queryKeys';
import { listReports } from '../../api/reports';
import { useUser } from '../../session/useSession';
import { useI18n } from '../../i18n/I18n';
import type { EventFilters } from './eventFilters';

/**
 * What the reports in the event log are about. The log holds no titles: they come from the
 * reports that changed last (or first) for moderators, else the filing event gives type and
 * id. Null where neither is loaded.
 */
export function useSubjects(events: readonly LoggedEvent[], order: EventFilters['order']): (reportId: string) => string | null {
  const { label } = useI18n();
  const moderates = useUser()?.isModerator === true;
  const reports = useQuery({
    queryKey: [...keys.events(order), 'titles', events[0]?.position],
    queryFn: ({ signal }) => listReports({ first: 50, order, orderBy: order === 'desc' ? 'updatedAt' : undefined }, signal),
    placeholderData: keepPreviousData,
    enabled: moderates && events.length > 0,
    retry: false,
  });
  const subjects = new Map<string, string>();
  for (const { reportId, type, payload } of events) {
    if (type === 'created') subjects.set(reportId, `${label(String(payload.targetType))} ${String(payload.targetId)}`);
  }
  for (const { id, title } of reports.data?.edges ?? []) {
    if (title !== null && title !== '') subjects.set(id, title);
  }
  return (reportId) => subjects.get(reportId) ?? null;
}
