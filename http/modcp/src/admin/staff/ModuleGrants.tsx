import { Button, Switch } from '@mantine/core';
import { useState } from 'react';
import type { StaffKind } from '../../api/staff';
import type { CatalogPermission, GrantScope } from '../../api/types';
import { useI18n } from '../../i18n/I18n';
import { Icon } from '../../ui/Icon';
import { give, keyOf, setScope, take, type Faults, type GrantMap } from './grants';
import { ScopePicker } from './ScopePicker';
import classes from './Staff.module.css';
import { useAreaNames } from './useAreaNames';
import { useGrantWords } from './useGrantWords';

interface Props {
  kind: StaffKind;
  plugin: string;
  module: string;
  permissions: CatalogPermission[];
  grants: GrantMap;
  setGrants: (grants: GrantMap) => void;
  faults: Faults;
  disabled: boolean;
}

/** The permissions of one module: which are granted, in which scope, and their faults. */
export function ModuleGrants({ kind, plugin, module, permissions, grants, setGrants, faults, disabled }: Props) {
  const { t } = useI18n();
  const [picking, setPicking] = useState<string | null>(null);
  const picked = picking === null ? undefined : grants.get(picking);
  const words = useGrantWords();
  const name = words.module(plugin, module);
  const area = useAreaNames(permissions.map((entry) => grants.get(keyOf({ plugin, module, permission: entry.permission }))?.scope), 1);
  return (
    <section className={classes.module} aria-label={`${words.plugin(plugin)}: ${name}`}>
      <h2 className={classes.moduleTitle}>
        <bdi>{name}</bdi> <bdi className={classes.email}>{words.plugin(plugin)}</bdi>
      </h2>
      <ul className={classes.grants}>
        {permissions.map((entry) => {
          const key = keyOf({ plugin, module, permission: entry.permission });
          const grant = grants.get(key);
          const messages = faults.get(key);
          const where = entry.scope == null ? t('scope.all') : grant?.scope === undefined ? t('scope.none') : area(grant.scope);
          return (
            <li key={key} className={classes.grant} data-dependent={entry.dependsOn != null || undefined}>
              <Switch
                checked={grant !== undefined}
                disabled={disabled}
                label={<span title={key}>{words.permission(entry.permission)}</span>}
                onChange={(event) =>
                  setGrants(event.currentTarget.checked ? give(grants, plugin, module, entry.permission, permissions, kind) : take(grants, plugin, module, entry.permission, permissions))
                }
              />
              {grant !== undefined && kind === 'moderator' && entry.scope != null && (
                <Button
                  size="compact-sm"
                  variant="default"
                  disabled={disabled}
                  leftSection={<Icon name="tag" size={14} />}
                  aria-label={t('scope.editFor', { permission: words.permission(entry.permission), where })}
                  onClick={() => {
                    if (grant.scope === undefined) setGrants(setScope(new Map(grants).set(key, { ...grant, scope: { family: entry.scope!, mode: 'all' } }), key, { family: entry.scope!, mode: 'all' }, false));
                    setPicking(key);
                  }}
                >
                  <bdi>{where}</bdi>
                </Button>
              )}
              {grant !== undefined && kind === 'moderator' && entry.scope == null && <span className={classes.email}>{where}</span>}
              {messages !== undefined && (
                <p className={classes.fault} role="alert">
                  <Icon name="warning" size={14} /> {messages.join(' ')}
                </p>
              )}
            </li>
          );
        })}
      </ul>
      {picking !== null && picked?.scope !== undefined && (
        <ScopePicker
          scope={picked.scope}
          permission={words.permission(picked.permission)}
          module={name}
          close={() => setPicking(null)}
          apply={(scope: GrantScope, wholeModule: boolean) => {
            setGrants(setScope(grants, picking, scope, wholeModule));
            setPicking(null);
          }}
        />
      )}
    </section>
  );
}
