import { useI18n } from '../i18n/I18n';
import { failureMessage } from './failureText';
import classes from './Operations.module.css';

/** Why something failed: in the reader's language where the server says it by a sentence of its own, else in the words of what failed. In full, as its last words say as much as its first. */
export function Reason({ text }: { text: string }) {
  const { t } = useI18n();
  const known = failureMessage(text);
  return (
    <div className={classes.reason} dir={known === null ? 'auto' : undefined}>
      {known === null ? text : t(known.key, { what: known.what })}
    </div>
  );
}
