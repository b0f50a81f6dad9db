import { keepPreviousData, queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { proposeMeasures } from '../api/measures';
import type { Policy } from '../api/policies';
import { keys } from '../api/queryKeys';
import { usePermission } from '../session/usePermission';

/** Milliseconds after which a proposal is read again: its end moves on, and strikes come and go. */
const fresh = 5 * 60_000;

/** A report whose decision imposes measures, and how many on content of its authors are made alike. */
export interface MeasuredReport {
  id: string;
  decisions: number;
}

const proposalQuery = (reportId: string, policy: string, decisions = 1) =>
  queryOptions({ queryKey: keys.proposal(reportId, policy, decisions), queryFn: ({ signal }) => proposeMeasures(reportId, policy, decisions, signal), staleTime: 10_000, refetchInterval: fresh, retry: 1 });

/** What the ladder proposes for the authors of reports if they are decided by a rule, `''` for none, and what the user may impose on them. */
export function useProposals([first, ...rest]: readonly MeasuredReport[], policy: string, enabled: boolean) {
  const one = useQuery({ ...proposalQuery(first?.id ?? '', policy, first?.decisions), enabled, placeholderData: keepPreviousData });
  const others = useQueries({ queries: rest.map(({ id, decisions }) => ({ ...proposalQuery(id, policy, decisions), enabled })) });
  return [one, ...others] as const;
}

/** Says of each rule that gives strikes whether deciding by it leads to a measure that the user may impose. Others are not asked about. */
export function useMeasureVerdicts(reportId: string, policies: readonly Policy[]): { known: boolean; leadsToMeasure: (policy: string) => boolean } {
  const imposes = usePermission('can_impose_measures');
  const asked = imposes ? policies.filter(({ strikes }) => strikes > 0).map(({ key }) => key) : [];
  const answers = useQueries({ queries: asked.map((key) => proposalQuery(reportId, key)) });
  return {
    known: answers.every(({ isPending }) => !isPending),
    leadsToMeasure: (policy) => {
      const at = asked.indexOf(policy);
      // Where it cannot be read, the form shows that.
      return at >= 0 && (answers[at]?.data?.items.some((item) => item.measure !== null && item.kinds.includes(item.measure.kind)) ?? true);
    },
  };
}
