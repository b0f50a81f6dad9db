import { Button } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Confirm } from '../ui/Confirm';
import { DataTable } from '../ui/DataTable';
import { listTokens, revokeToken, type OwnToken } from '../api/account';
import { keys } from '../api/queryKeys';
import type { User } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { Icon } from '../ui/Icon';
import { ListFrame, nextCursor } from '../ui/ListFrame';
import { Panel } from '../ui/Panel';
import { Empty } from '../ui/States';
import { Tag } from '../ui/Tag';
import { useToasts } from '../ui/Toasts';
import { useErrorText } from '../ui/useErrorText';
import { When } from '../ui/When';
import classes from './Account.module.css';
import { NewToken } from './NewToken';
import { tokenState } from './tokenState';

const tones = { usable: 'green', expired: 'neutral', isRevoked: 'red' } as const;

/** The API tokens of one's own account. */
export function Tokens({ user }: { user: User }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const toasts = useToasts();
  const errorText = useErrorText();
  const [making, setMaking] = useState(false);
  const [asked, setAsked] = useState<OwnToken | null>(null);
  const list = useInfiniteQuery({
    queryKey: keys.ownTokens,
    queryFn: ({ pageParam, signal }) => listTokens({ first: 20, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: nextCursor,
  });
  const revoke = useMutation({
    mutationFn: (token: OwnToken) => revokeToken(token.id),
    onSuccess: () => toasts.show({ text: t('tokens.revoked') }),
    onError: (error) => toasts.show({ text: errorText(error), tone: 'error' }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.ownTokens }),
  });
  const nameOf = (token: OwnToken) => (token.name === '' ? t('tokens.unnamed') : token.name);
  return (
    <Panel
      title={t('tokens.title')}
      id="account-tokens"
      aside={
        list.isSuccess && (
          <Button size="compact-md" variant="default" leftSection={<Icon name="plus" size={15} />} onClick={() => setMaking(true)}>
            {t('tokens.new')}
          </Button>
        )
      }
    >
      <p className={`small ${classes.muted}`}>{t('tokens.hint')}</p>
      <ListFrame list={list} empty={<Empty icon="bolt" title={t('tokens.empty')} />}>
        {(tokens: OwnToken[]) => (
          <DataTable
            label={t('tokens.title')}
            rows={tokens}
            rowKey={(token) => token.id}
            columns={[
              { key: 'name', title: t('tokens.name'), cell: (token) => <bdi>{nameOf(token)}</bdi> },
              { key: 'use', title: t('tokens.use'), cell: (token) => t(`tokens.use.${token.use}`) },
              {
                key: 'state',
                title: t('tokens.state'),
                cell: (token) => {
                  const state = tokenState(token, Date.now());
                  return <Tag tone={tones[state]}>{t(`tokens.${state}`)}</Tag>;
                },
              },
              { key: 'expires', title: t('tokens.expires'), end: true, cell: (token) => (token.expiresAt === null ? t('admin.never') : <When iso={token.expiresAt} />) },
              { key: 'used', title: t('tokens.used'), end: true, minor: true, cell: (token) => (token.lastUsedAt === null ? t('admin.never') : <When iso={token.lastUsedAt} />) },
              {
                key: 'actions',
                title: t('admin.action'),
                actions: true,
                cell: (token) =>
                  tokenState(token, Date.now()) === 'usable' && (
                    <Button size="compact-md" variant="default" c="var(--d-red)" aria-label={t('tokens.revokeOf', { name: nameOf(token) })} onClick={() => setAsked(token)}>
                      {t('tokens.revoke')}
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </ListFrame>
      {making && <NewToken user={user} close={() => setMaking(false)} />}
      {asked !== null && (
        <Confirm danger title={t('tokens.revokeTitle')} action={t('tokens.revoke')} confirm={() => revoke.mutate(asked)} close={() => setAsked(null)}>
          <p>
            <bdi>{nameOf(asked)}</bdi>
          </p>
          <p className={`small ${classes.muted}`}>{t('tokens.revokeHint')}</p>
        </Confirm>
      )}
    </Panel>
  );
}
