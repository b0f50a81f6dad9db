import { Link } from 'react-router';
import type { ContentAuthor } from '../api/types';
import { authorPath } from './authorPath';
import { NameOfAuthor } from './NameOfAuthor';

/** An author's name, which leads to what was decided about them. */
export function AuthorLink({ pluginId, author, className }: { pluginId: string; author: ContentAuthor; className?: string }) {
  return (
    <Link to={authorPath({ pluginId, id: author.id })} className={className}>
      <NameOfAuthor author={author} />
    </Link>
  );
}
