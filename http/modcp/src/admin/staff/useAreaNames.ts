import { useQueries } from '@tanstack/react-query';
import { keys } from '../../api/queryKeys';
import { labelResources } from '../../api/staff';
import type { GrantScope } from '../../api/types';
import { useI18n } from '../../i18n/I18n';

/** How many names one request asks for; areas beyond it show their id. */
const atOnce = 100;

type Scope = GrantScope | undefined;

/**
 * Where grants apply, in words: up to `most` areas by name, more as a count.
 * `scopes` lists every scope that the returned function may be called with.
 */
export function useAreaNames(scopes: readonly Scope[], most: number): (scope: Scope) => string {
  const { t, locale } = useI18n();
  const ids = new Map<string, Set<string>>();
  for (const scope of scopes) {
    if (scope?.mode !== 'selected' || scope.ids === undefined || scope.ids.length > most) continue;
    ids.set(scope.family, new Set([...(ids.get(scope.family) ?? []), ...scope.ids]));
  }
  const wanted = [...ids].map(([family, set]) => ({ family, ids: [...set].sort().slice(0, atOnce) }));
  const labels = useQueries({
    queries: wanted.map(({ family, ids }) => ({
      queryKey: keys.scopeLabels(family, ids),
      queryFn: ({ signal }: { signal: AbortSignal }) => labelResources(family, ids, signal),
      enabled: ids.length > 0,
      retry: false,
    })),
    combine: (answers) =>
      new Map(answers.flatMap(({ data }, index) => (data?.items ?? []).map((item) => [`${wanted[index]?.family} ${item.id}`, item.label] as const))),
  });
  return (scope) => {
    if (scope === undefined || scope.mode === 'all') return t('scope.all');
    const { ids = [] } = scope;
    if (ids.length === 0 || ids.length > most) return t('scope.selected', { count: ids.length });
    return new Intl.ListFormat(locale.id).format(ids.map((id) => labels.get(`${scope.family} ${id}`) ?? id));
  };
}
