import { useQuery } from '@tanstack/react-query';
import type { Decision } from '../api/reports';
import { listReleasers } from '../api/reports';
import { keys } from '../api/queryKeys';
import type { Report } from '../api/types';
import { usePolicies } from '../decision/usePolicies';
import { useI18n } from '../i18n/I18n';
import { Callout } from '../ui/Callout';
import { Releasers } from './Releasers';

/** Says before a decision is sent that a second person must release it, and who can. */
export function NeedsSecond({ reports, decision, action }: { reports: readonly Report[]; decision: Decision | null; action: string | null }) {
  const { t } = useI18n();
  const policies = usePolicies();
  const cited = decision?.resolution === 'action_taken' ? decision.policy?.key : undefined;
  const needs = policies?.some(({ key, secondKey }) => secondKey && key === cited) === true || reports.some(({ actions }) => actions.some(({ name, secondKey }) => secondKey && name === action));
  const first = reports[0];
  const people = useQuery({ queryKey: keys.releasers(first?.id ?? ''), queryFn: ({ signal }) => listReleasers(first!.id, signal), enabled: needs && first !== undefined });
  if (!needs) return null;
  return (
    <Callout tone="blue" title={t('held.asks')}>
      {people.data !== undefined && <Releasers people={people.data.edges} />}
    </Callout>
  );
}
