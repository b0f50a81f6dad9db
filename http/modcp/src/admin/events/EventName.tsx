import { useI18n } from '../../i18n/I18n';
import { eventMessage } from './eventMessage';
import { Named } from '../shared/Named';

/** What happened in words, with the technical name beside them. */
export function EventName({ name }: { name: string }) {
  const text = useEventText();
  return <Named text={text(name)} name={name} />;
}

export function useEventText(): (name: string) => string {
  const { t } = useI18n();
  return (name) => {
    const key = eventMessage(name);
    return key === null ? name : t(key);
  };
}
