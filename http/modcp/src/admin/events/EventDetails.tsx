import type { ReactNode } from 'react';
import type { LoggedEvent } from '../../api/audit';
import { useI18n } from '../../i18n/I18n';
import classes from '../shared/Admin.module.css';

/** Everything that the log holds about one event. */
export function EventDetails({ event }: { event: LoggedEvent }) {
  const { t, number } = useI18n();
  const facts: [name: string, value: ReactNode][] = [
    [t('events.actor'), event.actorId === null ? t('events.byItself') : <code key="actor">{event.actorId}</code>],
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
