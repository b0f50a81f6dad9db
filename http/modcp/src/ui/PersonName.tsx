import type { Person } from '../api/types';
import { useI18n } from '../i18n/I18n';
import classes from './PersonName.module.css';

/** A person with initials; a deleted account says so. */
export function PersonName({ person, self = false, plain = false }: { person: Person | null; self?: boolean; plain?: boolean }) {
  const { t } = useI18n();
  if (person === null) return <span className={classes.gone}>{t('state.deletedAccount')}</span>;
  return (
    <span className={classes.person}>
      {!plain && (
        <span className={classes.mark} data-self={self || undefined} aria-hidden="true">
          {initials(person.name)}
        </span>
      )}
      <bdi className={classes.name}>{person.name}</bdi>
    </span>
  );
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/u);
  const first = [...(words[0] ?? '?')][0] ?? '?';
  const last = words.length > 1 ? ([...words[words.length - 1]!][0] ?? '') : '';
  return (first + last).toLocaleUpperCase();
}
