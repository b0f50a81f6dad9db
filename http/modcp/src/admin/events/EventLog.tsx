import { Button, Group, SegmentedControl, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { listEvents, type LoggedEvent } from '../../api/audit';
import { keys } from '../../api/keys';
import { useUser } from '../../app/useSession';
import { useI18n } from '../../i18n/I18n';
import { Icon } from '../../ui/Icon';
import { PageHead } from '../../ui/Panel';
import { Empty } from '../../ui/States';
import { useTitle } from '../../ui/useTitle';
import { When } from '../../ui/When';
import { DataTable } from '../DataTable';
import { ListFrame, nextCursor } from '../ListFrame';
import classes from '../Operations.module.css';
import { readEventFilters, readPosition, writeEventFilters, type EventFilters } from './eventFilters';

const EventReplay = lazy(() => import('./EventReplay').then((m) => ({ default: m.EventReplay })));

/** The whole log, event by event, with the way to each report and to how it stood. */
export function EventLog() {
  const { t, number } = useI18n();
  const user = useUser();
  const [params, setParams] = useSearchParams();
  const filters = readEventFilters(params);
  const [replayed, setReplayed] = useState<LoggedEvent | null>(null);
  useTitle(t('admin.events'));
  const list = useInfiniteQuery({
    queryKey: keys.events(filters),
    queryFn: ({ pageParam, signal }) => listEvents({ ...filters, after: filters.after === 0 ? undefined : filters.after, first: 50, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: nextCursor,
  });
  const change = (difference: Partial<EventFilters>) =>
    setParams(writeEventFilters({ ...readEventFilters(new URLSearchParams(window.location.search)), ...difference }));

  return (
    <>
      <PageHead title={t('admin.events')} hint={t('events.hint')}>
        <Position key={filters.after} after={filters.after} change={(after) => change({ after })} />
        <SegmentedControl
          aria-label={t('events.order')}
          value={filters.order}
          onChange={(order) => change({ order: order as EventFilters['order'] })}
          data={[
            { value: 'desc', label: t('events.newest') },
            { value: 'asc', label: t('events.oldest') },
          ]}
        />
        <Button variant="default" leftSection={<Icon name="refresh" size={15} />} loading={list.isRefetching} onClick={() => void list.refetch()}>
          {t('action.refresh')}
        </Button>
      </PageHead>
      <ListFrame list={list} empty={<Empty icon="history" title={t('events.empty')} hint={t('events.emptyHint')} />}>
        {(events: LoggedEvent[]) => (
          <DataTable
            label={t('admin.events')}
            rows={events}
            rowKey={(event) => event.eventId}
            columns={[
              { key: 'position', title: t('events.position'), cell: (event) => <span className={classes.figure}>{number(event.position)}</span> },
              {
                key: 'event',
                title: t('replay.slider'),
                cell: (event) => (
                  <div>
                    <code className={classes.code}>{event.type}</code>
                    <EventDetails event={event} />
                  </div>
                ),
              },
              {
                key: 'report',
                title: t('events.report'),
                minor: true,
                cell: (event) => <span className={classes.id}>{event.reportId}</span>,
              },
              { key: 'sequence', title: t('events.sequence'), end: true, minor: true, cell: (event) => number(event.sequence) },
              { key: 'time', title: t('events.time'), end: true, cell: (event) => <When iso={event.occurredAt} /> },
              {
                key: 'action',
                title: t('cron.action'),
                end: true,
                cell: (event) => (
                  <Group gap={6} justify="flex-end" wrap="nowrap">
                    {user?.isModerator === true && (
                      <Button size="compact-md" variant="default" component={Link} to={`/modcp/reports/${event.reportId}`} aria-label={t('events.openOf', { position: event.position })}>
                        {t('events.open')}
                      </Button>
                    )}
                    <Button size="compact-md" variant="default" aria-label={t('events.replayOf', { position: event.position })} onClick={() => setReplayed(event)}>
                      {t('events.replay')}
                    </Button>
                  </Group>
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

function Position({ after, change }: { after: number; change: (after: number) => void }) {
  const { t } = useI18n();
  const [text, setText] = useState(after === 0 ? '' : String(after));
  const position = readPosition(text);
  return (
    <form
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
      />
    </form>
  );
}

function EventDetails({ event }: { event: LoggedEvent }) {
  const { t } = useI18n();
  const facts: [string, string][] = [
    [t('events.id'), event.eventId],
    [t('events.report'), event.reportId],
    [t('events.actor'), event.actorId ?? '–'],
    [t('replay.version'), String(event.version)],
    [t('events.hash'), event.hash],
    [t('events.payload'), JSON.stringify(event.payload)],
  ];
  return (
    <details className={classes.details}>
      <summary>{t('events.details')}</summary>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="ltr">{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
