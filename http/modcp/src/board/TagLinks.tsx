import { Link, type To } from 'react-router';
import { useI18n } from '../i18n/I18n';
import { Tag } from '../ui/Tag';
import classes from './TagLinks.module.css';

/** The tags that live rules gave a report; each leads to what has it too. */
export function TagLinks({ tags = [], to }: { tags?: readonly string[]; to: (tag: string) => To }) {
  const { t } = useI18n();
  if (tags.length === 0) return null;
  return (
    <span className={classes.tags}>
      {tags.map((tag) => (
        <Link key={tag} to={to(tag)} className={classes.tag} aria-label={t('board.onlyTag', { tag })} title={t('board.onlyTag', { tag })}>
          <Tag>
            <bdi>{tag}</bdi>
          </Tag>
        </Link>
      ))}
    </span>
  );
}
