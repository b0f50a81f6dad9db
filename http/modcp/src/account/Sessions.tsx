import { Button } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DataTable } from '../ui/DataTable';
import { Confirm } from '../ui/Confirm';
import { endOtherSessions, endSession, listSessions, type OwnSession } from '../api/account';
import { keys } from '../api/queryKeys';
import { useI18n } from '../i18n/I18n';
import { ListFrame, nextCursor } from '../ui/ListFrame';
import { Panel } from '../ui/Panel';
import { Empty } from '../ui/States';
import { Tag } from '../ui/Tag';
import { useToasts } from '../ui/Toasts';
import { useErrorText } from '../ui/useErrorText';
import { When } from '../ui/When';
import classes from './Account.module.css';
import { deviceName } from './deviceName';

/** The sessions of one's own account, with buttons to end them. */
export function Sessions() {
  const { t } = useI18n();
  const client = useQueryClient();
  const toasts = useToasts();
  const errorText = useErrorText();
  const deviceText = useDeviceText();
  const [asked, setAsked] = useState(false);
  const list = useInfiniteQuery({
    queryKey: keys.ownSessions,
    queryFn: ({ pageParam, signal }) => listSessions({ first: 50, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: nextCursor,
  });
  const end = useMutation({
    mutationFn: ({ what }: { what: () => Promise<void>; done: string }) => what(),
    onSuccess: (_answer, { done }) => toasts.show({ text: done }),
    onError: (error) => toasts.show({ text: errorText(error), tone: 'error' }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.ownSessions }),
  });
  const others = list.data?.pages.some((page) => page.edges.some((session) => !session.current)) === true;
  return (
    <Panel
      title={t('sessions.title')}
      id="account-sessions"
      aside={
        others && (
          <Button size="compact-md" variant="default" loading={end.isPending} onClick={() => setAsked(true)}>
            {t('sessions.endOthers')}
          </Button>
        )
      }
    >
      <p className={`small ${classes.muted}`}>{t('sessions.hint')}</p>
      <ListFrame list={list} empty={<Empty icon="user" title={t('state.none')} />}>
        {(sessions: OwnSession[]) => (
          <DataTable
            label={t('sessions.title')}
            rows={sessions}
            rowKey={(session) => session.id}
            columns={[
              {
                key: 'device',
                title: t('sessions.device'),
                cell: (session) => (
                  <span title={session.userAgent}>
                    {deviceText(session.userAgent)} {session.current && <Tag tone="green">{t('sessions.current')}</Tag>}
                  </span>
                ),
              },
              { key: 'address', title: t('sessions.address'), cell: (session) => (session.address === null ? t('state.unknown') : <bdi dir="ltr">{session.address}</bdi>) },
              { key: 'used', title: t('sessions.used'), end: true, cell: (session) => <When iso={session.lastUsedAt} /> },
              { key: 'started', title: t('sessions.started'), end: true, minor: true, cell: (session) => <When iso={session.createdAt} /> },
              {
                key: 'actions',
                title: t('admin.action'),
                actions: true,
                cell: (session) =>
                  session.current ? null : (
                    <Button
                      size="compact-md"
                      variant="default"
                      aria-label={t('sessions.endOf', { device: deviceText(session.userAgent) })}
                      disabled={end.isPending}
                      onClick={() => end.mutate({ what: () => endSession(session.id), done: t('sessions.ended') })}
                    >
                      {t('sessions.end')}
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </ListFrame>
      {asked && (
        <Confirm
          title={t('sessions.endOthersTitle')}
          action={t('sessions.endOthers')}
          confirm={() => end.mutate({ what: endOtherSessions, done: t('sessions.othersEnded') })}
          close={() => setAsked(false)}
        >
          <p className={`small ${classes.muted}`}>{t('sessions.endOthersHint')}</p>
        </Confirm>
      )}
    </Panel>
  );
}

function useDeviceText(): (userAgent: string) => string {
  const { t } = useI18n();
  return (userAgent) => {
    const { browser, system } = deviceName(userAgent);
    if (browser === null) return system ?? t('sessions.unknownDevice');
    return system === null ? browser : t('sessions.deviceOn', { browser, system });
  };
}
