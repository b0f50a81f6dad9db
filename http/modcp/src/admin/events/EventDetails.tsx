import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { LoggedEvent } from '../../api/audit';
import { keys } from '../../api/queryKeys';
import { readTimeline } from '../../api/reports';
import { useUser } from '../../session/useSession';
import { useI18n } from '../../i18n/I18n';
import { wholeTimeline } from '../../report/timeline/wholeTimeline';
import classes from '../shared/Admin.module.css';

/** Everything that the log holds about one event. */
export function EventDetails({ event }: { event: LoggedEvent }) {
  const { t, number } = useI18n();
  const facts: [name: string, value: ReactNode][] = [
    [t('events.actor'), <Actor key="actor" event={event} />],
    [t('events.sequence'), number(event.sequence)],
    [t('replay.version'), number(event.version)],
    [t('events.id'), <code key="id">{event.eventId}</code>],
    [t('events.hash'), <code key="hash">{event.hash}</code>],
    [t('events.payload'), <pre key="payload">{JSON.stringify(event.payload, null, 2)}</pre>],
  ];
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Who did it. The log holds an id; the name comes from the report's timeline, for those who may read it. */
function Actor({ event }: { event: LoggedEvent }) {
  const moderates = useUser()?.isModerator === true;
  const timeline = useQuery({
    queryKey: [...keys.timeline(event.reportId), 'replay'],
    queryFn: ({ signal }) => wholeTimeline((cursor) => readTimeline(event.reportId, { first: 100, cursor }, signal)),
    enabled: moderates && event.actorId !== null,
    retry: false,
  });
  if (event.actorId === null) return '–';
  const name = timeline.data?.find((entry) => entry.sequence === event.sequence)?.actor?.name;
  return (
    <>
      {name !== undefined && <bdi>{name} </bdi>}
      <code>{event.actorId}</code>
    </>
  );
}
