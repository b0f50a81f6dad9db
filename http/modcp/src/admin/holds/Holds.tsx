import { Button, Select } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { holdStatuses, liftHold, listHolds, type Hold } from '../../api/holds';
import { keys } from '../../api/queryKeys';
import { useI18n } from '../../i18n/I18n';
import { useSession } from '../../session/useSession';
import { Confirm } from '../../ui/Confirm';
import { DataTable } from '../../ui/DataTable';
import { ListFrame, nextCursor } from '../../ui/ListFrame';
import { PageHead } from '../../ui/Panel';
import { Empty } from '../../ui/States';
import { Tag } from '../../ui/Tag';
import { useToasts } from '../../ui/Toasts';
import { useErrorText } from '../../ui/useErrorText';
import { useTitle } from '../../ui/useTitle';
import { When } from '../../ui/When';
import shared from '../shared/Admin.module.css';
import classes from './Holds.module.css';
import { NewHold } from './NewHold';

/** How many reports of a hold a row links to. */
const linked = 3;

/** Legal holds: what nobody may erase, why, and who lifts it. */
export function Holds() {
  const { t, date } = useI18n();
  const client = useQueryClient();
  const toasts = useToasts();
  const errorText = useErrorText();
  const me = useSession().data?.user?.id;
  const [params, setParams] = useSearchParams();
  const [chosen, setChosen] = useState<Hold | null>(null);
  const status = holdStatuses.find((one) => one === params.get('status'));
  useTitle(t('admin.holds'));
  const list = useInfiniteQuery({
    queryKey: [...keys.holds, status],
    queryFn: ({ pageParam, signal }) => listHolds({ status, first: 50, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: nextCursor,
    refetchInterval: 60_000,
  });
  const lift = useMutation({
    mutationFn: (hold: Hold) => liftHold(hold.id),
    onSuccess: () => toasts.show({ text: t('holds.wasLifted') }),
    onError: (error) => toasts.show({ text: errorText(error), tone: 'error' }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.holds }),
  });

  return (
    <>
      <PageHead title={t('admin.holds')} hint={t('holds.hint')} />
      <NewHold />
      <div className={classes.list}>
        <Select
          aria-label={t('holds.status')}
          placeholder={t('holds.any')}
          clearable
          clearButtonProps={{ 'aria-label': t('action.clear') }}
          value={status ?? null}
          data={holdStatuses.map((value) => ({ value, label: t(`holds.status.${value}`) }))}
          onChange={(value) => setParams(value === null ? {} : { status: value }, { replace: true })}
        />
        <ListFrame list={list} empty={<Empty icon="scales" title={t('holds.empty')} />}>
          {(holds: Hold[]) => (
            <DataTable
              label={t('admin.holds')}
              rows={holds}
              rowKey={(one) => one.id}
              columns={[
                {
                  key: 'reference',
                  title: t('holds.reference'),
                  cell: (one) => (
                    <div className={classes.words}>
                      <strong dir="auto">{one.reference}</strong> <Tag tone={one.status === 'standing' ? 'blue' : 'neutral'}>{t(`holds.status.${one.status}`)}</Tag>
                      <div className={shared.muted} dir="auto">
                        {one.basis}
                      </div>
                    </div>
                  ),
                },
                {
                  key: 'what',
                  title: t('holds.what'),
                  cell: (one) =>
                    one.authorId !== null ? (
                      <div className={classes.words}>
                        {t('holds.author')} <span dir="ltr">{one.pluginId === null ? one.authorId : `${one.pluginId}:${one.authorId}`}</span>
                      </div>
                    ) : (
                      <div>
                        {t('holds.reportCount', { count: one.reportCount })}{' '}
                        {one.reports.slice(0, linked).map((id) => (
                          <Link key={id} to={`/modcp/reports/${id}`} dir="ltr" aria-label={t('holds.openReport', { id })}>
                            …{id.slice(-6)}{' '}
                          </Link>
                        ))}
                      </div>
                    ),
                },
                {
                  key: 'set',
                  title: t('holds.setAt'),
                  minor: true,
                  cell: (one) => (
                    <div>
                      <When iso={one.setAt} />
                      <div className={shared.muted} dir="auto">
                        {one.setBy?.name ?? t('holds.gone')}
                      </div>
                    </div>
                  ),
                },
                {
                  key: 'until',
                  title: t('holds.until'),
                  end: true,
                  cell: (one) => (
                    <div>
                      {date(one.until)}
                      {one.liftedAt !== null && <div className={shared.muted}>{t('holds.liftedBy', { name: one.liftedBy?.name ?? t('holds.gone'), time: date(one.liftedAt) })}</div>}
                    </div>
                  ),
                },
                {
                  key: 'action',
                  title: t('admin.action'),
                  actions: true,
                  cell: (one) =>
                    one.status !== 'standing' ? null : one.setBy?.id === me ? (
                      <span className={shared.muted}>{t('holds.own')}</span>
                    ) : (
                      <Button size="compact-md" variant="default" aria-label={t('holds.liftOf', { reference: one.reference })} loading={lift.isPending && lift.variables.id === one.id} onClick={() => setChosen(one)}>
                        {t('holds.lift')}
                      </Button>
                    ),
                },
              ]}
            />
          )}
        </ListFrame>
      </div>
      {chosen !== null && (
        <Confirm title={t('holds.liftOf', { reference: chosen.reference })} action={t('holds.lift')} danger confirm={() => lift.mutate(chosen)} close={() => setChosen(null)}>
          <p className={shared.muted}>{t('holds.liftHint')}</p>
        </Confirm>
      )}
    </>
  );
}
