import { ActionIcon, Button, TextInput, UnstyledButton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { listEvents, type LoggedEvent } from '../../api/audit';
import { keys } from '../../api/queryKeys';
import { useUser } from '../../session/useSession';
import { useI18n } from '../../i18n/I18n';
import { Icon } from '../../ui/Icon';
import { PageHead } from '../../ui/Panel';
import { Empty } from '../../ui/States';
import { useTitle } from '../../ui/useTitle';
import { DataTable } from '../../ui/DataTable';
import { EventName } from './EventName';
import { ListFrame, nextCursor } from '../../ui/ListFrame';
import { Segments } from '../../ui/Segments';
import classes from '../shared/Admin.module.css';
import { EventDetails } from './EventDetails';
import { EventFilterBar } from './EventFilterBar';
import { eventQuery, isFiltered, readEventFilters, readPosition, unfiltered, writeEventFilters, type EventFilters } from './eventFilters';
import { useSubjects } from './useSubjects';

const EventReplay = lazy(() => import('./EventReplay').then((m) => ({ default: m.EventReplay })));

/** The whole log, event by event, with links to each report and its replay. */
export function EventLog() {
  const { t, number, date } = useI18n();
  const user = useUser();
  const [params, setParams] = useSearchParams();
  const filters = readEventFilters(params);
  const [replayed, setReplayed] = useState<LoggedEvent | null>(null);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) => setOpened(opened.has(id) ? new Set([...opened].filter((other) => other !== id)) : new Set([...opened, id]));
  useTitle(t('admin.events'));
  const list = useInfiniteQuery({
    queryKey: keys.events(filters),
    queryFn: ({ pageParam, signal }) => listEvents({ ...eventQuery(filters), first: 50, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: nextCursor,
  });
  const listed = list.data?.pages.flatMap((page) => page.edges) ?? [];
  const subject = useSubjects(listed, filters.order);
  const change = (difference: Partial<EventFilters>) =>
    setParams(writeEventFilters({ ...readEventFilters(new URLSearchParams(window.location.search)), ...difference }));

  return (
    <>
      <PageHead title={t('admin.events')} hint={t('events.hint')}>
        <Position key={filters.after} after={filters.after} change={(after) => change({ ...unfiltered, after })} />
        <Segments
          aria-label={t('events.order')}
          value={filters.order}
          onChange={(order) => change({ order })}
          data={[
            { value: 'desc', label: t('events.newest') },
            { value: 'asc', label: t('events.oldest') },
          ]}
        />
        <ActionIcon variant="default" size={36} aria-label={t('action.refresh')} title={t('action.refresh')} loading={list.isRefetching} onClick={() => void list.refetch()}>
          <Icon name="refresh" size={16} />
        </ActionIcon>
      </PageHead>
      <EventFilterBar filters={filters} change={change} events={listed} />
      <ListFrame list={list} empty={<Empty icon="history" title={t('events.empty')} hint={t(isFiltered(filters) ? 'board.emptyFilteredHint' : 'events.emptyHint')} />}>
        {(events: LoggedEvent[]) => (
          <DataTable
            label={t('admin.events')}
            rows={events}
            rowKey={(event) => event.eventId}
            below={(event) => (opened.has(event.eventId) ? <EventDetails event={event} /> : null)}
            columns={[
              {
                key: 'event',
                title: t('replay.slider'),
                cell: (event) => (
                  <div className={classes.entry}>
                    <EventName name={event.type} />
                    {subject(event.reportId) !== null && <div dir="auto" className={classes.words}>{subject(event.reportId)}</div>}
                    <div className={classes.under}>
                      <UnstyledButton className={classes.toggle} aria-expanded={opened.has(event.eventId)} onClick={() => toggle(event.eventId)}>
                        <Icon name={opened.has(event.eventId) ? 'chevronDown' : 'chevronRight'} size={13} />
                        {t('events.details')}
                      </UnstyledButton>
                      <UnstyledButton className={classes.toggle} title={t('events.onlyReport')} onClick={() => change({ report: event.reportId })}>
                        <code className={classes.key}>{event.reportId}</code>
                      </UnstyledButton>
                    </div>
                  </div>
                ),
              },
              { key: 'position', title: t('events.position'), end: true, minor: true, cell: (event) => number(event.position) },
              { key: 'actor', title: t('events.actor'), cell: (event) => <div className={classes.actor}><Actor event={event} choose={(actor) => change({ actor })} /></div> },
              { key: 'time', title: t('events.time'), end: true, cell: (event) => <time dateTime={event.occurredAt}>{date(event.occurredAt)}</time> },
              {
                key: 'action',
                title: t('admin.action'),
                actions: true,
                cell: (event) => (
                  <div className={`${classes.buttons} ${classes.pair}`}>
                    {user?.isModerator === true && (
                      <Button size="compact-md" variant="default" component={Link} to={`/modcp/reports/${event.reportId}`} aria-label={t('events.openOf', { position: event.position })}>
                        {t('events.open')}
                      </Button>
                    )}
                    <Button size="compact-md" variant="default" aria-label={t('events.replayOf', { position: event.position })} onClick={() => setReplayed(event)}>
                      {t('events.replay')}
                    </Button>
                  </div>
                ),
              },
            ]}
          />
        )}
      </ListFrame>
      {replayed !== null && (
        <Suspense>
          <EventReplay event={replayed} close={() => setReplayed(null)} />
        </Suspense>
      )}
    </>
  );
}

/** Who caused an event: nobody, where Docket did itself; an account that is gone goes by its id. */
function Actor({ event: { actorId, actorName }, choose }: { event: LoggedEvent; choose: (actor: string) => void }) {
  const { t } = useI18n();
  if (actorId === null) return <>{t('events.byItself')}</>;
  return (
    <UnstyledButton className={classes.toggle} title={t('events.onlyActor')} onClick={() => choose(actorId)}>
      {actorName === null ? <code className={classes.key}>{actorId}</code> : <bdi>{actorName}</bdi>}
    </UnstyledButton>
  );
}

function Position({ after, change }: { after: number; change: (after: number) => void }) {
  const { t } = useI18n();
  const [text, setText] = useState(after === 0 ? '' : String(after));
  const position = readPosition(text);
  return (
    <form
      className={classes.position}
      onSubmit={(event) => {
        event.preventDefault();
        if (position !== null) change(position);
      }}
    >
      <TextInput
        aria-label={t('events.after')}
        placeholder={t('events.after')}
        inputMode="numeric"
        value={text}
        error={position === null ? t('events.noPosition') : undefined}
        onChange={(event) => setText(event.currentTarget.value)}
        rightSection={
          <ActionIcon type="submit" variant="subtle" aria-label={t('events.apply')} title={t('events.apply')}>
            <Icon name="chevronRight" size={16} />
          </ActionIcon>
        }
      />
    </form>
  );
}
