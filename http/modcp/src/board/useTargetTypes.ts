import { queryOptions, useQuery } from '@tanstack/react-query';
import { keys } from '../api/queryKeys';
import { scopeFamilies, targetTypes } from '../api/reports';

const rarelyChanges = 5 * 60_000;

export const targetTypesQuery = queryOptions({ queryKey: keys.targetTypes, queryFn: ({ signal }) => targetTypes(signal), staleTime: rarelyChanges, retry: false });

export const scopesQuery = queryOptions({ queryKey: keys.scopes, queryFn: ({ signal }) => scopeFamilies(signal), staleTime: rarelyChanges, retry: false });

export const useTargetTypes = () => useQuery(targetTypesQuery);

export const useScopeFamilies = () => useQuery(scopesQuery);

/** The label of a scope's resource, or its bare id while labels are unknown. */
export function useScopeLabel(): (scope: { family: string; id: string } | null) => string {
  const families = useScopeFamilies().data;
  return (scope) => {
    if (scope === null || scope.id === '') return '';
    const resources = families?.find((family) => family.id === scope.family)?.resources;
    return resources?.find((resource) => resource.id === scope.id)?.label ?? scope.id;
  };
}
