import { Link, useLocation } from 'react-router';
import type { ContentAuthor } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { AuthorLink } from '../measures/AuthorLink';
import { Icon } from '../ui/Icon';
import classes from './RowTable.module.css';

/** An author in a row of a list: the name leads to their page, the mark beside it narrows the list to what is theirs. */
export function RowAuthor({ pluginId, author }: { pluginId: string; author: ContentAuthor }) {
  const { t } = useI18n();
  const { search } = useLocation();
  const params = new URLSearchParams(search);
  for (const place of ['after', 'before']) params.delete(place);
  params.set('author', `${pluginId}:${author.id}`);
  const narrows = t('board.onlyAuthor', { name: author.name ?? t('state.deletedAccount') });
  return (
    <span className={classes.author}>
      <AuthorLink pluginId={pluginId} author={author} />
      <Link to={{ search: params.toString() }} className={classes.narrow} aria-label={narrows} title={narrows}>
        <Icon name="filter" size={13} />
      </Link>
    </span>
  );
}
