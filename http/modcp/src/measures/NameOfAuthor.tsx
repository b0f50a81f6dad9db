import type { ContentAuthor } from '../api/types';
import { useI18n } from '../i18n/I18n';
import classes from './NameOfAuthor.module.css';

/** An author's name; one that was erased, or whose account is gone, says so. */
export function NameOfAuthor({ author: { name } }: { author: Pick<ContentAuthor, 'name'> }) {
  const { t } = useI18n();
  return <bdi className={classes.anywhere}>{name === null || name.trim() === '' ? t('state.deletedAccount') : name}</bdi>;
}
