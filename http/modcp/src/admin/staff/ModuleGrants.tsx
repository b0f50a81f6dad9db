import { Button, Switch } from '@mantine/core';
import { useState } from 'react';
import type { StaffKind } from '../../api/staff';
import type { CatalogPermission, GrantScope } from '../../api/types';
import { humanise } from '../../i18n/format';
import { useI18n } from '../../i18n/I18n';
import { en } from '../../i18n/en';
import type { MessageKey } from '../../i18n/locales';
import { Icon } from '../../ui/Icon';
import { give, keyOf, setScope, take, type GrantMap } from './grants';
import { ScopePicker } from './ScopePicker';
import classes from './Staff.module.css';
import type { Faults } from './StaffEditor';

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

/** The permissions of one module: which are given, for what, and what is wrong with them. */
export function ModuleGrants({ kind, plugin, module, permissions, grants, setGrants, faults, disabled }: Props) {
  const { t } = useI18n();
  const [picking, setPicking] = useState<string | null>(null);
  const picked = picking === null ? undefined : grants.get(picking);
  return (
    <section className={classes.module} aria-label={`${plugin}: ${humanise(module)}`}>
      <h2 className={classes.moduleTitle}>
        {humanise(module)} <span className={classes.email}>{plugin}</span>
      </h2>
      <ul className={classes.grants}>
        {permissions.map((entry) => {
          const key = keyOf({ plugin, module, permission: entry.permission });
          const grant = grants.get(key);
          const messages = faults.get(key);
          const hintKey = `permission.${entry.permission}`;
          return (
            <li key={key} className={classes.grant} data-dependent={entry.dependsOn != null || undefined}>
              <Switch
                checked={grant !== undefined}
                disabled={disabled}
                label={hintKey in en ? t(hintKey as MessageKey) : humanise(entry.permission)}
                description={<code>{entry.permission}</code>}
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
                  aria-label={t('scope.editFor', { permission: humanise(entry.permission) })}
                  onClick={() => {
                    if (grant.scope === undefined) setGrants(setScope(new Map(grants).set(key, { ...grant, scope: { family: entry.scope!, mode: 'all' } }), key, { family: entry.scope!, mode: 'all' }, false));
                    setPicking(key);
                  }}
                >
                  <ScopeText scope={grant.scope} />
                </Button>
              )}
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

function ScopeText({ scope }: { scope: GrantScope | undefined }) {
  const { t } = useI18n();
  if (scope === undefined) return t('scope.none');
  return scope.mode === 'all' ? t('scope.all') : t('scope.selected', { count: scope.ids.length });
}
