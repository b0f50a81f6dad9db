import type { CatalogPermission, Grant, GrantScope } from '../../api/types';

/** Grants by their key `plugin:module:permission`, which is how faults name them. */
export type GrantMap = ReadonlyMap<string, Grant>;

/** Faults by grant key; the empty key holds what concerns no single grant. */
export type Faults = ReadonlyMap<string, string[]>;

export const keyOf = (grant: Pick<Grant, 'plugin' | 'module' | 'permission'>) => `${grant.plugin}:${grant.module}:${grant.permission}`;

export function toMap(grants: readonly Grant[]): GrantMap {
  return new Map(grants.map((grant) => [keyOf(grant), grant]));
}

export const toList = (grants: GrantMap): Grant[] => [...grants.values()];

/**
 * Gives a permission, and what it depends on where that is missing. A scoped one
 * starts with the scope of what it depends on, else with all of its family.
 */
export function give(grants: GrantMap, plugin: string, module: string, permission: string, catalog: readonly CatalogPermission[], kind: 'moderator' | 'admin'): GrantMap {
  const next = new Map(grants);
  const add = (name: string, seen: ReadonlySet<string>): GrantScope | undefined => {
    const entry = catalog.find((candidate) => candidate.permission === name);
    const key = keyOf({ plugin, module, permission: name });
    const inherited = entry?.dependsOn != null && !seen.has(entry.dependsOn) ? add(entry.dependsOn, new Set([...seen, name])) : undefined;
    const existing = next.get(key);
    if (existing !== undefined) return existing.scope;
    const family = kind === 'moderator' ? (entry?.scope ?? null) : null;
    const scope = family === null ? undefined : inherited?.family === family ? inherited : ({ family, mode: 'all' } as const);
    next.set(key, { plugin, module, permission: name, ...(scope === undefined ? {} : { scope }) });
    return scope;
  };
  add(permission, new Set());
  return next;
}

/** Takes a permission away, with all that depends on it. */
export function take(grants: GrantMap, plugin: string, module: string, permission: string, catalog: readonly CatalogPermission[]): GrantMap {
  const next = new Map(grants);
  const gone = [permission];
  for (let at = 0; at < gone.length; at++) {
    next.delete(keyOf({ plugin, module, permission: gone[at]! }));
    for (const entry of catalog) {
      if (entry.dependsOn === gone[at] && !gone.includes(entry.permission)) gone.push(entry.permission);
    }
  }
  return next;
}

/** Sets the scope of one grant, or of every grant of its module that has the same family. */
export function setScope(grants: GrantMap, key: string, scope: GrantScope, wholeModule: boolean): GrantMap {
  const subject = grants.get(key);
  if (subject === undefined) return grants;
  return new Map(
    [...grants].map(([other, grant]) => {
      const same = grant.plugin === subject.plugin && grant.module === subject.module && grant.scope?.family === scope.family;
      return [other, other === key || (wholeModule && same) ? { ...grant, scope } : grant];
    }),
  );
}

/** Keys of two maps that differ: given, taken, or with another scope. */
export function changedKeys(before: GrantMap, after: GrantMap): string[] {
  const all = new Set([...before.keys(), ...after.keys()]);
  return [...all].filter((key) => scopeText(before.get(key)) !== scopeText(after.get(key))).sort();
}

function scopeText(grant: Grant | undefined): string {
  if (grant === undefined) return '';
  if (grant.scope === undefined) return 'unscoped';
  return grant.scope.mode === 'all' ? `${grant.scope.family}:*` : `${grant.scope.family}:${[...(grant.scope.ids ?? [])].sort().join(',')}`;
}

/** Grants of one module that went the same way, with where they apply now (or did, where they were taken). */
export interface GrantChange {
  kind: 'given' | 'taken' | 'rescoped';
  plugin: string;
  module: string;
  scope: GrantScope | undefined;
  permissions: string[];
}

/** What changed between two maps, module by module, in the order of the keys given; those it lacks come first. */
export function changesBetween(before: GrantMap, after: GrantMap, order: readonly string[]): GrantChange[] {
  const changes = new Map<string, GrantChange>();
  for (const key of changedKeys(before, after).sort((one, other) => order.indexOf(one) - order.indexOf(other))) {
    const grant = (after.get(key) ?? before.get(key))!;
    const { plugin, module, permission, scope } = grant;
    const kind = !before.has(key) ? 'given' : !after.has(key) ? 'taken' : 'rescoped';
    const alike = `${plugin}:${module} ${kind} ${scopeText(grant)}`;
    const change = changes.get(alike) ?? { kind, plugin, module, scope, permissions: [] };
    change.permissions.push(permission);
    changes.set(alike, change);
  }
  return [...changes.values()];
}

/** The grant a validation fault is about, from a path such as `permissions[2].scope.ids[0]`. */
export function keyAt(path: string, sent: readonly Grant[]): string | null {
  const index = /^permissions\[(\d+)\]/.exec(path)?.[1];
  const grant = index === undefined ? undefined : sent[Number(index)];
  return grant === undefined ? null : keyOf(grant);
}
