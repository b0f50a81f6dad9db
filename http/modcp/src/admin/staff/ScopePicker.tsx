import { Button, Checkbox, CloseButton, Group, Switch, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../../api/queryKeys';
import { labelResources, searchResources } from '../../api/staff';
import type { GrantScope, ScopeItem } from '../../api/types';
import { useI18n } from '../../i18n/I18n';
import { Dialog } from '../../ui/Dialog';
import { Icon } from '../../ui/Icon';
import { Segments } from '../../ui/Segments';
import { Failure, Loading } from '../../ui/States';
import classes from './Staff.module.css';

interface Props {
  scope: GrantScope;
  /** The permission's readable name. */
  permission: string;
  module: string;
  apply: (scope: GrantScope, wholeModule: boolean) => void;
  close: () => void;
}

/** Picks all resources of a family or some: with a search, the chosen ones, and those that no longer exist. */
export function ScopePicker({ scope, permission, module, apply, close }: Props) {
  const { t } = useI18n();
  const { family } = scope;
  const title = t('scope.title', { permission, module });
  const [mode, setMode] = useState(scope.mode);
  const [ids, setIds] = useState<string[]>(scope.ids ?? []);
  const [wholeModule, setWholeModule] = useState(true);
  const [search, setSearch] = useState('');
  const [term] = useDebouncedValue(search, 200);

  const found = useInfiniteQuery({
    queryKey: keys.scopeResources(family, term),
    queryFn: ({ pageParam, signal }) => searchResources(family, term, pageParam === '' ? undefined : pageParam, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    enabled: mode === 'selected',
  });
  const labels = useQuery({
    queryKey: keys.scopeLabels(family, ids),
    queryFn: ({ signal }) => labelResources(family, ids, signal),
    enabled: mode === 'selected' && ids.length > 0,
    placeholderData: keepPreviousData,
  });
  const items = found.data?.pages.flatMap((page) => page.items) ?? [];
  const labelled = new Map([...items, ...(labels.data?.items ?? [])].map((item) => [item.id, item]));
  const missing = new Set(labels.data?.missing ?? []);
  const toggle = (id: string) => setIds(ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]);

  return (
    <Dialog close={close} size="lg" title={title}>
      <Segments
        fullWidth
        aria-label={title}
        value={mode}
        onChange={setMode}
        data={[
          { value: 'all', label: t('scope.all') },
          { value: 'selected', label: t('scope.some') },
        ]}
      />
      {mode === 'all' ? (
        <p className={classes.email}>{t('scope.allHint')}</p>
      ) : (
        <>
          <div className={classes.chosen} aria-label={t('scope.chosen')} role="group">
            {ids.length === 0 && <span className={classes.email}>{t('scope.nothing')}</span>}
            {ids.map((id) => (
              <span key={id} className={classes.chip} data-missing={missing.has(id) || undefined}>
                {missing.has(id) && <Icon name="warning" size={13} />}
                <bdi>{labelled.get(id)?.label ?? id}</bdi>
                {missing.has(id) && <span className="visually-hidden">{t('scope.missing')}</span>}
                <CloseButton size="xs" aria-label={t('scope.remove', { name: labelled.get(id)?.label ?? id })} onClick={() => toggle(id)} />
              </span>
            ))}
          </div>
          {missing.size > 0 && <p className={classes.fault}>{t('scope.missingHint', { count: missing.size })}</p>}
          <TextInput
            data-autofocus
            aria-label={t('scope.search')}
            placeholder={t('scope.search')}
            leftSection={<Icon name="search" size={16} />}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          <div className={classes.resources}>
            {found.isPending ? (
              <Loading rows={3} />
            ) : found.data === undefined ? (
              <Failure error={found.error} collection />
            ) : (
              items.map((item) => <Resource key={item.id} item={item} checked={ids.includes(item.id)} toggle={() => toggle(item.id)} />)
            )}
            {found.isSuccess && items.length === 0 && <p className={classes.email}>{t('palette.empty')}</p>}
            {found.hasNextPage && (
              <Button variant="subtle" size="compact-sm" loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
                {t('action.more')}
              </Button>
            )}
          </div>
        </>
      )}
      <Switch mt="md" label={t('scope.wholeModule', { module })} checked={wholeModule} onChange={(event) => setWholeModule(event.currentTarget.checked)} />
      <Group gap="xs" mt="md" justify="flex-end">
        <Button variant="default" onClick={close}>
          {t('action.cancel')}
        </Button>
        <Button onClick={() => apply(mode === 'all' ? { family, mode } : { family, mode, ids }, wholeModule)}>{t('scope.apply')}</Button>
      </Group>
    </Dialog>
  );
}

function Resource({ item, checked, toggle }: { item: ScopeItem; checked: boolean; toggle: () => void }) {
  return (
    <Checkbox
      checked={checked}
      onChange={toggle}
      label={
        <>
          <bdi>{item.label}</bdi>
          {item.context !== undefined && item.context.length > 0 && <span className={classes.email}> · {item.context.join(' › ')}</span>}
        </>
      }
    />
  );
}
