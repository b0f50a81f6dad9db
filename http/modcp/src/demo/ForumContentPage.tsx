import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { readForum } from '../api/forum';
import { asApiError } from '../api/http';
import { keys } from '../api/queryKeys';
import { NotFound } from '../app/NotFound';
import { useI18n } from '../i18n/I18n';
import { Icon } from '../ui/Icon';
import { isRichText } from '../richtext/document';
import { RichText } from '../richtext/RichText';
import { Empty, Failure, Loading } from '../ui/States';
import { useTitle } from '../ui/useTitle';
import { authorOf, bodyOf, isForumKind, titleOf, wordsOf } from './forumContent';
import classes from './Forum.module.css';
import { ReportButton } from './ReportButton';

export function ForumContentPage() {
  const { kind, id = '' } = useParams();
  const { t } = useI18n();
  const valid = isForumKind(kind) ? kind : null;
  const content = useQuery({
    queryKey: keys.forum(kind ?? '', id),
    queryFn: ({ signal }) => readForum(valid ?? 'posts', id, signal),
    enabled: valid !== null,
    retry: false,
  });
  useTitle(content.data === undefined ? t('demo.site') : titleOf(content.data));
  if (valid === null) return <NotFound />;
  if (content.isPending) return <Loading />;
  if (content.isError) {
    return asApiError(content.error).status === 404 ? (
      <Empty page icon="eyeOff" title={t('demo.gone')} hint={t('demo.goneHint')}>
        <Link to="/">{t('nav.home')}</Link>
      </Empty>
    ) : (
      <Failure error={content.error} retry={() => void content.refetch()} />
    );
  }
  const body = bodyOf(content.data);
  const author = authorOf(content.data);
  return (
    <>
      <Link to="/" className={classes.back}>
        <Icon name="chevronLeft" size={15} /> {t('nav.forum')}
      </Link>
      <article className={classes.full}>
        <h1 dir="auto">{titleOf(content.data) || t('board.untitled')}</h1>
        {isRichText(body) ? (
          <RichText doc={body} />
        ) : (
          <p className={classes.text} dir="auto">
            {wordsOf(content.data)}
          </p>
        )}
        <footer className={classes.foot}>
          <span className={classes.meta}>{author === '' ? '' : t('demo.by', { name: author })}</span>
          <ReportButton kind={valid} id={id} title={titleOf(content.data)} />
        </footer>
      </article>
    </>
  );
}
