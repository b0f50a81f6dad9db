import { useI18n } from '../i18n/I18n';
import { eventMessage } from './eventName';
import classes from './Operations.module.css';

/** What happened in words, with the name that machines know it by. */
export function EventName({ name }: { name: string }) {
  const text = useEventText();
  return (
    <>
      <span className={classes.name}>{text(name)}</span> {text(name) !== name && <code className={classes.key}>{name}</code>}
    </>
  );
}

export function useEventText(): (name: string) => string {
  const { t } = useI18n();
  return (name) => {
    const key = eventMessage(name);
    return key === null ? name : t(key);
  };
}
