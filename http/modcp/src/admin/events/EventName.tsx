import { useI18n } from '../../i18n/I18n';
import { eventKey } from './eventKey';
import { Named } from '../shared/Named';

/** What happened in words, with the technical name beside them. */
export function EventName({ name }: { name: string }) {
  const text = useEventText();
  return <Named text={text(name)} name={name} />;
}

/** Names an event by its type or its public name; one of a plugin keeps its own. */
export function useEventText(): (name: string) => string {
  const { known } = useI18n();
  return (name) => known(eventKey(name)) ?? name;
}
