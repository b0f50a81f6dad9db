import { Button, Group, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { asApiError } from '../../api/http';
import { keys } from '../../api/queryKeys';
import { listAccounts, resetFactors, setAccountDisabled, type Account } from '../../api/users';
import { useI18n } from '../../i18n/I18n';
import { useSession } from '../../session/useSession';
import { Icon } from '../../ui/Icon';
import { ListFrame, nextCursor } from '../../ui/ListFrame';
import { PageHead } from '../../ui/Panel';
import { PersonName } from '../../ui/PersonName';
import { Empty } from '../../ui/States';
import { FlaggerTag, Tag } from '../../ui/Tag';
import { useToasts } from '../../ui/Toasts';
import { useErrorText } from '../../ui/useErrorText';
import { useTitle } from '../../ui/useTitle';
import { When } from '../../ui/When';
import classes from '../shared/Admin.module.css';
import { Confirm } from '../../ui/Confirm';
import { DataTable } from '../../ui/DataTable';
import { useAdminArea } from '../shared/useAdminArea';
import { InviteUser } from './InviteUser';
import { TrustedFlagger } from './TrustedFlagger';

/** Everybody with an account: search, invite, mark as trusted flaggers, disable and enable. */
export function Users() {
  const { t } = useI18n();
  const session = useSession().data;
  const manages = useAdminArea('users:can_manage');
  const client = useQueryClient();
  const toasts = useToasts();
  const errorText = useErrorText();
  const [params, setParams] = useSearchParams();
  const search = params.get('search') ?? '';
  const [inviting, setInviting] = useState(false);
  const [asked, setAsked] = useState<Account | null>(null);
  const [trusting, setTrusting] = useState<Account | null>(null);
  const [resetting, setResetting] = useState<Account | null>(null);
  useTitle(t('admin.users'));
  const list = useInfiniteQuery({
    queryKey: [...keys.accounts, search],
    queryFn: ({ pageParam, signal }) => listAccounts({ search, first: 50, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: nextCursor,
    placeholderData: keepPreviousData,
  });
  const change = useMutation({
    mutationFn: ({ account, disabled }: { account: Account; disabled: boolean }) => setAccountDisabled(account.id, disabled),
    onSuccess: ({ name, disabled }) => toasts.show({ text: t(disabled ? 'users.isDisabled' : 'users.isEnabled', { name }) }),
    onError: (error) => toasts.show({ text: asApiError(error).code === 'forbidden' ? t('users.refused') : errorText(error), tone: 'error' }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.accounts }),
  });
  const reset = useMutation({
    mutationFn: (account: Account) => resetFactors(account.id),
    onSuccess: ({ name }) => toasts.show({ text: t('users.factorsDone', { name }) }),
    onError: (error) => toasts.show({ text: asApiError(error).code === 'forbidden' ? t('users.refused') : errorText(error), tone: 'error' }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.accounts }),
  });
  const find = useDebouncedCallback((text: string) => setParams(text.trim() === '' ? {} : { search: text.trim() }, { replace: true }), 250);

  return (
    <>
      <PageHead title={t('admin.users')} hint={t('users.hint')}>
        <TextInput
          className={classes.wide}
          type="search"
          miw={260}
          aria-label={t('users.search')}
          placeholder={t('users.search')}
          leftSection={<Icon name="search" size={15} />}
          maxLength={200}
          defaultValue={search}
          onChange={(event) => find(event.currentTarget.value)}
        />
        {manages && session?.signIn.passwords === true && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setInviting(true)}>
            {t('users.invite')}
          </Button>
        )}
      </PageHead>
      <ListFrame list={list} empty={<Empty icon="users" title={t('users.empty')} />}>
        {(accounts: Account[]) => (
          <DataTable
            label={t('admin.users')}
            rows={accounts}
            rowKey={(account) => account.id}
            columns={[
              {
                key: 'person',
                title: t('staff.person'),
                cell: (account) => (
                  <div>
                    <PersonName person={account} />
                    {account.email !== null && (
                      <div className={classes.muted}>
                        <bdi>{account.email}</bdi>
                      </div>
                    )}
                    {account.trustedName !== null && (
                      <div className={classes.muted}>
                        <FlaggerTag /> <bdi>{account.trustedName}</bdi>
                      </div>
                    )}
                  </div>
                ),
              },
              {
                key: 'state',
                title: t('users.state'),
                cell: (account) => <Tag tone={account.disabled ? 'red' : 'green'}>{t(account.disabled ? 'users.disabled' : 'users.active')}</Tag>,
              },
              {
                key: 'factors',
                title: t('users.factors'),
                minor: true,
                cell: (account) => <Tag tone={account.secondFactor ? 'green' : 'neutral'}>{t(account.secondFactor ? 'users.factorsOn' : 'users.factorsOff')}</Tag>,
              },
              { key: 'created', title: t('users.created'), end: true, minor: true, cell: (account) => <When iso={account.createdAt} /> },
              {
                key: 'actions',
                title: t('admin.action'),
                actions: true,
                cell: (account) =>
                  // Nobody can lock themselves out by mistake.
                  !manages || account.id === session?.user?.id ? null : (
                    <Group gap={6} justify="flex-end">
                    <Button size="compact-md" variant="default" aria-label={t('users.trustOf', { name: account.name })} onClick={() => setTrusting(account)}>
                      {t('users.trust')}
                    </Button>
                    {account.secondFactor && (
                      <Button size="compact-md" variant="default" aria-label={t('users.factorsResetOf', { name: account.name })} onClick={() => setResetting(account)}>
                        {t('users.factorsReset')}
                      </Button>
                    )}
                    <Button
                      size="compact-md"
                      variant="default"
                      c={account.disabled ? undefined : 'var(--d-red)'}
                      aria-label={t(account.disabled ? 'users.enableOf' : 'users.disableOf', { name: account.name })}
                      onClick={() => (account.disabled ? change.mutate({ account, disabled: false }) : setAsked(account))}
                    >
                      {t(account.disabled ? 'users.enable' : 'users.disable')}
                    </Button>
                    </Group>
                  ),
              },
            ]}
          />
        )}
      </ListFrame>
      {trusting !== null && <TrustedFlagger account={trusting} close={() => setTrusting(null)} />}
      {resetting !== null && (
        <Confirm danger title={t('users.factorsResetTitle')} action={t('users.factorsReset')} confirm={() => reset.mutate(resetting)} close={() => setResetting(null)}>
          <PersonName person={resetting} />
          <p className={classes.detail}>{t('users.factorsResetHint')}</p>
        </Confirm>
      )}
      {inviting && <InviteUser close={() => setInviting(false)} />}
      {asked !== null && (
        <Confirm danger title={t('users.disableTitle')} action={t('users.disable')} confirm={() => change.mutate({ account: asked, disabled: true })} close={() => setAsked(null)}>
          <PersonName person={asked} />
          <p className={classes.detail}>{t('users.disableHint')}</p>
        </Confirm>
      )}
    </>
  );
}
