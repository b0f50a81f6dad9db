import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query';
import { isMissingRoute } from '../api/http';
import { keys } from '../api/queryKeys';
import { listPolicies, policyVersions, type Policy, type PolicyRef } from '../api/policies';

/** How many policies the form for a decision offers. */
const offered = 100;

const inForce = queryOptions({
  queryKey: [...keys.policies, 'in-force'],
  queryFn: ({ signal }) => listPolicies({ first: offered, order: 'asc' }, signal),
  staleTime: 60_000,
  retry: (failures, error) => !isMissingRoute(error) && failures < 2,
});

/** The policies in force; undefined until they are known, none where they cannot be. */
export function usePolicies(): Policy[] | undefined {
  const { data, isError } = useQuery(inForce);
  return data?.edges ?? (isError ? none : undefined);
}

/** The policies in force as far as they are known. */
export const knownPolicies = (client: QueryClient): Policy[] => client.getQueryData(inForce.queryKey)?.edges ?? none;

const none: Policy[] = [];

/** The title of the version that a decision refers to; its key until it is known. */
export function usePolicyTitle(policy: (PolicyRef & { title?: string }) | null): string {
  const versions = useQuery({
    queryKey: keys.policyVersions(policy?.key ?? ''),
    queryFn: ({ signal }) => policyVersions(policy?.key ?? '', signal),
    enabled: policy !== null && policy.title === undefined,
    staleTime: Infinity,
  });
  if (policy === null) return '';
  return policy.title ?? versions.data?.edges.find((one) => one.version === policy.version)?.title ?? policy.key;
}
