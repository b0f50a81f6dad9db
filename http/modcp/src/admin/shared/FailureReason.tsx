import { useI18n } from '../../i18n/I18n';
import { failureMessage } from './failureText';
import classes from './Admin.module.css';

/** Why something failed, in the reader's language where the sentence is known, else unchanged. Never cut, since the end matters as much as the start. */
export function FailureReason({ text }: { text: string }) {
  const { t } = useI18n();
  const known = failureMessage(text);
  return (
    <div className={classes.reason} dir={known === null ? 'auto' : undefined}>
      {known === null ? text : t(known.key, { what: known.what })}
    </div>
  );
}
