import { Button, Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { asApiError } from '../../api/http';
import { keys } from '../../api/queryKeys';
import { readCatalog, readStaff, removeStaff, updateStaff, type StaffKind } from '../../api/staff';
import type { CatalogPlugin, PermissionIssue, StaffEntry } from '../../api/types';
import { useUser } from '../../session/useSession';
import { useI18n } from '../../i18n/I18n';
import { Callout } from '../../ui/Callout';
import { Icon } from '../../ui/Icon';
import { PageHead } from '../../ui/Panel';
import { PersonName } from '../../ui/PersonName';
import { Failure, Loading } from '../../ui/States';
import { useToasts } from '../../ui/Toasts';
import { useErrorText, validationIssues } from '../../ui/useErrorText';
import { useTitle } from '../../ui/useTitle';
import { Confirm } from '../../ui/Confirm';
import { changedKeys, keyAt, toList, toMap, type Faults, type GrantMap } from './grants';
import { ModuleGrants } from './ModuleGrants';
import { Back } from '../shared/Back';
import classes from './Staff.module.css';
import { DiscardDraft } from '../shared/DiscardDraft';
import { StaffHistory } from './StaffHistory';

export function StaffEditor({ kind }: { kind: StaffKind }) {
  const { id = '' } = useParams();
  const entry = useQuery({ queryKey: keys.staffEntry(kind, id), queryFn: ({ signal }) => readStaff(kind, id, signal), refetchOnWindowFocus: false });
  const catalog = useQuery({ queryKey: keys.catalog, queryFn: ({ signal }) => readCatalog(signal), staleTime: 60_000 });
  if (entry.isPending || catalog.isPending) return <Loading rows={8} />;
  if (entry.data === undefined) return <Failure error={entry.error} retry={() => void entry.refetch()} />;
  if (catalog.data === undefined) return <Failure error={catalog.error} retry={() => void catalog.refetch()} />;
  return <Editor key={id} kind={kind} entry={entry.data} catalog={catalog.data} />;
}

const removal = {
  moderator: { remove: 'staff.removeModerator', lost: 'staff.removeModeratorHint' },
  admin: { remove: 'staff.removeAdmin', lost: 'staff.removeAdminHint' },
} as const;

function Editor({ kind, entry, catalog }: { kind: StaffKind; entry: StaffEntry; catalog: CatalogPlugin[] }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const navigate = useNavigate();
  const toasts = useToasts();
  const errorText = useErrorText();
  const self = useUser();
  const [grants, setGrants] = useState<GrantMap>(() => toMap(entry.permissions));
  const [unrestricted, setUnrestricted] = useState(entry.unrestricted);
  const [faults, setFaults] = useState<Faults>(new Map());
  const [removing, setRemoving] = useState(false);
  const saved = useMemo(() => toMap(entry.permissions), [entry.permissions]);
  const own = entry.user !== null && entry.user.id === self?.id;
  const changed = changedKeys(saved, grants);
  const dirty = changed.length > 0 || unrestricted !== entry.unrestricted;
  const words = removal[kind];
  const name = entry.user?.name ?? t('state.deletedAccount');
  useTitle(name);

  const save = useMutation({
    mutationFn: () => updateStaff(kind, entry.id, { unrestricted, permissions: toList(grants), expectedUpdatedAt: entry.updatedAt }),
    onSuccess: (next) => {
      setFaults(new Map());
      setGrants(toMap(next.permissions));
      setUnrestricted(next.unrestricted);
      client.setQueryData(keys.staffEntry(kind, entry.id), next);
      void client.invalidateQueries({ queryKey: keys.staff(kind) });
      toasts.show({ text: t('staff.saved') });
    },
    onError: (error) => {
      const failure = asApiError(error);
      setFaults(faultsOf(failure.code, failure.body, toList(grants), (type) => issueText(type, t)));
      // A colleague's version becomes the base; the choices made here stay, to be checked and saved again.
      if (failure.code === 'conflict') void client.invalidateQueries({ queryKey: keys.staffEntry(kind, entry.id) });
    },
  });

  const remove = useMutation({
    mutationFn: () => removeStaff(kind, entry.id),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: keys.staff(kind) });
      void navigate(`/admin/core/staff/${kind}s`);
    },
    onError: (error) => toasts.show({ text: errorText(error), tone: 'error' }),
  });

  useEffect(() => {
    if (!dirty) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [dirty]);

  const failure = save.isError ? asApiError(save.error) : null;
  const known = new Set(catalog.flatMap((plugin) => Object.entries(plugin[kind] ?? {}).flatMap(([module, list]) => list.map((one) => `${plugin.pluginId}:${module}:${one.permission}`))));
  const strange = [...grants.keys()].filter((key) => !known.has(key));

  return (
    <>
      <Back to={`/admin/core/staff/${kind}s`} text={t(kind === 'moderator' ? 'admin.moderators' : 'admin.admins')} />
      <PageHead title={<PersonName person={entry.user} plain />} hint={entry.user?.email ?? undefined}>
        <Button variant="default" c={own ? undefined : 'var(--d-red)'} leftSection={<Icon name="trash" size={16} />} disabled={own} loading={remove.isPending} onClick={() => setRemoving(true)}>
          {t(words.remove)}
        </Button>
      </PageHead>
      {removing && (
        <Confirm danger title={`${t(words.remove)}: ${name}`} action={t(words.remove)} confirm={() => remove.mutate()} close={() => setRemoving(false)}>
          <p className={classes.email}>{t(words.lost, { name })}</p>
        </Confirm>
      )}
      {own && (
        <Callout tone="blue">
          {t('staff.own')}
        </Callout>
      )}
      {failure !== null && (
        <Callout tone="red" alert title={failure.code === 'conflict' ? t('staff.conflict') : failure.code === 'forbidden' ? t('staff.ceiling') : t('staff.refused')}>
          {failure.code === 'conflict' ? t('staff.conflictHint') : failure.code === 'forbidden' ? t('staff.ceilingHint') : (faults.get('')?.join(' ') ?? t('staff.refusedHint'))}
        </Callout>
      )}
      <Switch
        className={classes.unrestricted}
        checked={unrestricted}
        disabled={own}
        onChange={(event) => setUnrestricted(event.currentTarget.checked)}
        label={t(kind === 'admin' ? 'staff.root' : 'staff.unrestricted')}
        description={t(kind === 'admin' ? 'staff.rootHint' : 'staff.unrestrictedHint')}
      />
      {!unrestricted && (
        <div className={classes.modules}>
          {catalog.flatMap((plugin) =>
            Object.entries(plugin[kind] ?? {}).map(([module, permissions]) => (
              <ModuleGrants
                key={`${plugin.pluginId}:${module}`}
                kind={kind}
                plugin={plugin.pluginId}
                module={module}
                permissions={permissions}
                grants={grants}
                setGrants={setGrants}
                faults={faults}
                disabled={own}
              />
            )),
          )}
          {strange.length > 0 && (
            <Callout tone="amber" title={t('staff.strange')}>
              {strange.map((key) => (
                <div key={key} className={classes.strange}>
                  <code>{key}</code>
                  <Button
                    size="compact-xs"
                    variant="default"
                    onClick={() => {
                      const next = new Map(grants);
                      next.delete(key);
                      setGrants(next);
                    }}
                  >
                    {t('action.delete')}
                  </Button>
                </div>
              ))}
            </Callout>
          )}
        </div>
      )}
      {dirty && (
        <div className={classes.savebar}>
          <span>{t('staff.unsaved', { count: changed.length + (unrestricted !== entry.unrestricted ? 1 : 0) })}</span>
          <DiscardDraft
            discard={() => {
              setGrants(saved);
              setUnrestricted(entry.unrestricted);
              setFaults(new Map());
              save.reset();
            }}
          />
          <Button loading={save.isPending} onClick={() => save.mutate()}>
            {t('action.save')}
          </Button>
        </div>
      )}
      <StaffHistory kind={kind} id={entry.id} updatedAt={entry.updatedAt} order={[...known]} />
    </>
  );
}

type T = ReturnType<typeof useI18n>['t'];

const issueTypes = ['missing_scope', 'empty_selection', 'invalid_resource', 'unknown_resource', 'unexpected_scope', 'wrong_family', 'dependency_scope'] as const;

function issueText(type: string, t: T): string {
  const known = issueTypes.find((one) => one === type);
  return known === undefined ? type : t(`issue.${known}`);
}

function faultsOf(code: string, body: Record<string, unknown>, sent: ReturnType<typeof toList>, text: (type: string) => string): Faults {
  const faults = new Map<string, string[]>();
  const add = (key: string, message: string) => faults.set(key, [...(faults.get(key) ?? []), message]);
  if (code === 'invalid_permissions' && Array.isArray(body.issues)) {
    for (const issue of body.issues as PermissionIssue[]) add(issue.key, text(issue.type));
  }
  if (code === 'validation_failed') {
    for (const issue of validationIssues({ body } as Parameters<typeof validationIssues>[0])) add(keyAt(issue.path, sent) ?? '', issue.message);
  }
  return faults;
}
