import { Button, Group } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { beginTotp, newRecovery, readFactors, removeFactor, type NewTotp, type OwnFactor } from '../api/factors';
import { asApiError } from '../api/http';
import { keys } from '../api/queryKeys';
import type { User } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { useSession } from '../session/useSession';
import { Callout } from '../ui/Callout';
import { Confirm } from '../ui/Confirm';
import { DataTable } from '../ui/DataTable';
import { Panel } from '../ui/Panel';
import { Failure, Loading } from '../ui/States';
import { useToasts } from '../ui/Toasts';
import { useErrorText } from '../ui/useErrorText';
import { When } from '../ui/When';
import classes from './Account.module.css';
import { AddApp } from './AddApp';
import { AddPasskey } from './AddPasskey';
import { hasPasskeys } from './passkeys';
import { RecoveryCodes } from './RecoveryCodes';
import { SignInAgain } from './SignInAgain';

/** What one's own account needs beside its password, if it has one. */
export function TwoStep({ user }: { user: User }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const toasts = useToasts();
  const errorText = useErrorText();
  const session = useSession().data;
  const list = useQuery({ queryKey: keys.ownFactors, queryFn: ({ signal }) => readFactors(signal) });
  const [made, setMade] = useState<NewTotp | null>(null);
  const [adding, setAdding] = useState(false);
  const [asked, setAsked] = useState<OwnFactor | 'recovery' | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const [again, setAgain] = useState<{ retry: () => void } | null>(null);

  const settle = () => void client.invalidateQueries({ queryKey: keys.ownFactors });
  // The session may reach more now. Its screens replace this one, so the codes are shown first.
  const settleSession = () => {
    settle();
    void client.invalidateQueries({ queryKey: keys.session });
    void client.invalidateQueries({ queryKey: keys.ownSessions });
  };
  const refused = (error: unknown, retry: () => void) => {
    const again = asApiError(error).code === 'sign_in_again' && user.email !== null;
    if (again) setAgain({ retry });
    return again;
  };
  const tell = (error: unknown, retry: () => void) => {
    if (!refused(error, retry)) toasts.show({ text: errorText(error), tone: 'error' });
  };
  const done = (recovery: string[] | null) => {
    setMade(null);
    setAdding(false);
    settle();
    if (recovery === null) settleSession();
    else setCodes(recovery);
  };
  const begin = useMutation({ mutationFn: beginTotp, onSuccess: setMade, onError: (error) => tell(error, () => begin.mutate()) });
  const renew = useMutation({ mutationFn: newRecovery, onSuccess: ({ recovery }) => done(recovery), onError: (error) => tell(error, () => renew.mutate()) });
  const remove = useMutation({
    mutationFn: (factor: OwnFactor) => removeFactor(factor.id),
    onSuccess: () => {
      toasts.show({ text: t('factors.removed') });
      settleSession();
    },
    onError: (error, factor) => tell(error, () => remove.mutate(factor)),
  });

  if (session?.signIn.passwords === false || user.email === null) return null;
  if (list.isPending) return <Loading rows={2} />;
  if (list.data === undefined) return <Failure error={list.error} retry={() => void list.refetch()} />;
  const { factors, recoveryLeft, passkeys, required } = list.data;
  const nameOf = (factor: OwnFactor) => factor.name ?? t('factors.app');
  const hasApp = factors.some((factor) => factor.kind === 'totp');
  const canPasskey = passkeys && hasPasskeys();
  return (
    <Panel title={t('factors.title')} id="account-factors">
      {required && factors.length === 0 ? <Callout tone="amber">{t('factors.required')}</Callout> : <p className={`small ${classes.muted}`}>{t(factors.length === 0 ? 'factors.none' : 'factors.hint')}</p>}
      {factors.length > 0 && (
        <DataTable
          label={t('factors.title')}
          rows={factors}
          rowKey={(factor) => factor.id}
          columns={[
            { key: 'kind', title: t('factors.kind'), cell: (factor) => <bdi>{nameOf(factor)}</bdi> },
            { key: 'added', title: t('factors.added'), end: true, minor: true, cell: (factor) => <When iso={factor.createdAt} /> },
            { key: 'used', title: t('factors.used'), end: true, cell: (factor) => (factor.lastUsedAt === null ? t('admin.never') : <When iso={factor.lastUsedAt} />) },
            {
              key: 'actions',
              title: t('admin.action'),
              actions: true,
              cell: (factor) => (
                <Button size="compact-md" variant="default" c="var(--d-red)" aria-label={t('factors.removeOf', { name: nameOf(factor) })} onClick={() => setAsked(factor)}>
                  {t('factors.remove')}
                </Button>
              ),
            },
          ]}
        />
      )}
      <Group gap="xs" mt="sm">
        <Button size="compact-md" variant="default" loading={begin.isPending} onClick={() => begin.mutate()}>
          {t(hasApp ? 'factors.replaceApp' : 'factors.addApp')}
        </Button>
        {canPasskey && (
          <Button size="compact-md" variant="default" onClick={() => setAdding(true)}>
            {t('factors.addPasskey')}
          </Button>
        )}
        {factors.length > 0 && (
          <>
            <Button size="compact-md" variant="default" loading={renew.isPending} onClick={() => setAsked('recovery')}>
              {t('factors.recoveryNew')}
            </Button>
            <span className={classes.left}>{t('factors.recoveryLeft', { left: recoveryLeft })}</span>
          </>
        )}
      </Group>
      {!canPasskey && <p className={classes.left}>{t('factors.noPasskeys')}</p>}
      {made !== null && <AddApp made={made} done={done} close={() => setMade(null)} />}
      {adding && <AddPasskey done={done} refused={refused} close={() => setAdding(false)} />}
      {asked === 'recovery' && (
        <Confirm title={t('factors.recoveryNew')} action={t('factors.recoveryNew')} confirm={() => renew.mutate()} close={() => setAsked(null)}>
          <p className={`small ${classes.muted}`}>{t('factors.recoveryNewHint')}</p>
        </Confirm>
      )}
      {asked !== null && asked !== 'recovery' && (
        <Confirm danger title={t('factors.removeTitle')} action={t('factors.remove')} confirm={() => remove.mutate(asked)} close={() => setAsked(null)}>
          <p>
            <bdi>{nameOf(asked)}</bdi>
          </p>
          {factors.length === 1 && <p className={`small ${classes.muted}`}>{t('factors.removeLast')}</p>}
        </Confirm>
      )}
      {again !== null && <SignInAgain email={user.email} done={again.retry} close={() => setAgain(null)} />}
      {codes !== null && (
        <RecoveryCodes
          codes={codes}
          close={() => {
            setCodes(null);
            settleSession();
          }}
        />
      )}
    </Panel>
  );
}
