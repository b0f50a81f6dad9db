import { useI18n } from '../i18n/I18n';
import { eventMessage } from './eventName';
import { Named } from './Named';

/** What happened in words, with the name that machines know it by. */
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
