import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { keys } from '../api/queryKeys';
import { listSeconds, secondStatuses, type ListedSecond } from '../api/seconds';
import { useI18n } from '../i18n/I18n';
import { usePollInterval } from '../live/LiveProvider';
import { useRefresh } from '../live/useRefresh';
import { useUser } from '../session/useSession';
import { DataTable } from '../ui/DataTable';
import { ListFrame, nextCursor } from '../ui/ListFrame';
import { PersonName } from '../ui/PersonName';
import { Empty } from '../ui/States';
import { ReasonTag } from '../ui/Tag';
import frame from '../ui/TabbedList.module.css';
import { When } from '../ui/When';
import classes from './Seconds.module.css';
import { SettleDialog } from './SettleDialog';
import { VerdictLine } from './VerdictLine';

const pollEvery = 20_000;

/** Milliseconds after which the list has what the live feed told. */
const lag = 1_000;

/** What was drawn, by what came of it. */
export function SecondList() {
  const { t } = useI18n();
  const me = useUser()?.id;
  const poll = usePollInterval(pollEvery);
  const [params] = useSearchParams();
  // The list has them a moment longer than the event.
  const [done, setDone] = useState<readonly string[]>([]);
  const [settling, setSettling] = useState<ListedSecond | null>(null);
  const status = secondStatuses.find((one) => one === params.get('status')) ?? secondStatuses[0]!;
  const list = useInfiniteQuery({
    queryKey: [...keys.seconds, 'list', status],
    queryFn: ({ pageParam, signal }) => listSeconds({ status, first: 50, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: nextCursor,
    refetchInterval: poll,
  });
  useRefresh(keys.seconds, lag, (event) => event.kind === 'reset' || (event.kind === 'change' && event.type.startsWith('second_')));
  return (
    <section className={classes.list} aria-label={t('seconds.all')}>
      <nav className={frame.tabs} aria-label={t('seconds.all')}>
        {secondStatuses.map((one) => (
          <Link key={one} to={{ search: `status=${one}` }} className={frame.tab} aria-current={one === status ? 'page' : undefined}>
            {t(`seconds.status.${one}`)}
          </Link>
        ))}
      </nav>
      <ListFrame list={list} empty={<Empty icon="users" title={t('seconds.none')} hint={t('seconds.noneHint')} />}>
        {(seconds: ListedSecond[]) => (
          <>
            {status === 'drawn' && <p className={classes.muted}>{t('seconds.hidden')}</p>}
            <DataTable
              label={t(`seconds.status.${status}`)}
              rows={status === 'disputed' ? seconds.filter(({ id }) => !done.includes(id)) : seconds}
              rowKey={(one) => one.id}
              columns={[
                {
                  key: 'what',
                  title: t('seconds.what'),
                  cell: (one) => (
                    <span className={classes.line}>
                      <About second={one} /> <ReasonTag reason={one.reason} />
                    </span>
                  ),
                },
                ...(status === 'drawn'
                  ? []
                  : [
                      { key: 'first', title: t('seconds.first'), cell: (one: ListedSecond) => <VerdictLine verdict={one.first} /> },
                      { key: 'second', title: t('seconds.second'), cell: (one: ListedSecond) => <VerdictLine verdict={one.second} /> },
                    ]),
                { key: 'decided', title: t('seconds.decidedAt'), end: true, minor: true, cell: (one) => <When iso={one.decidedAt} /> },
                ...(status === 'settled' ? [{ key: 'settled', title: t('seconds.status.settled'), cell: (one: ListedSecond) => <Settlement second={one} /> }] : []),
                ...(status === 'disputed'
                  ? [
                      {
                        key: 'action',
                        title: t('admin.action'),
                        actions: true,
                        cell: (one: ListedSecond) =>
                          [one.first?.by?.id, one.second?.by?.id].includes(me) ? (
                            <span className={classes.muted}>{t('seconds.own')}</span>
                          ) : (
                            <Button size="compact-md" variant="default" aria-label={t('seconds.settleOf', { title: one.title })} onClick={() => setSettling(one)}>
                              {t('seconds.settle')}
                            </Button>
                          ),
                      },
                    ]
                  : []),
              ]}
            />
          </>
        )}
      </ListFrame>
      {settling !== null && <SettleDialog second={settling} settled={() => setDone([...done, settling.id])} close={() => setSettling(null)} />}
    </section>
  );
}

/** What it is about: a link, unless its reader may be the next to decide. */
function About({ second }: { second: ListedSecond }) {
  const { t } = useI18n();
  const title = second.title === '' ? t('board.untitled') : second.title;
  return second.first === null ? (
    <bdi>{title}</bdi>
  ) : (
    <Link to={`/modcp/reports/${second.reportId}`} dir="auto">
      {title}
    </Link>
  );
}

function Settlement({ second: { settled } }: { second: ListedSecond }) {
  const { t } = useI18n();
  if (settled === null) return null;
  return (
    <div>
      <PersonName person={settled.by} plain />: {t(settled.stands ? 'seconds.stood' : 'seconds.fell')}
      <div className={classes.muted} dir="auto">
        {settled.reason ?? t('state.erased')}
      </div>
    </div>
  );
}
