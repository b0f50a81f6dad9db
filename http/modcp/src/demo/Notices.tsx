import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { listNotices, readNotice, type Notice } from '../api/notices';
import { AppealTag } from '../appeals/AppealTag';
import { keys } from '../api/queryKeys';
import { useUser } from '../session/useSession';
import { useI18n } from '../i18n/I18n';
import { ResolutionTag } from '../ui/Tag';
import { When } from '../ui/When';
import classes from './Forum.module.css';

/** What the user was told of their reports, content and appeals and has not read; renders nothing if there is nothing. */
export function Notices() {
  const { t, locale } = useI18n();
  const client = useQueryClient();
  const user = useUser();
  const notices = useQuery({ queryKey: [...keys.notices, locale.id], queryFn: ({ signal }) => listNotices(locale.id, signal), enabled: user !== null, retry: false, refetchInterval: 20_000 });
  const read = useMutation({ mutationFn: readNotice, onSettled: () => client.invalidateQueries({ queryKey: keys.notices }) });
  const unread = notices.data?.edges.filter((notice) => notice.readAt === null) ?? [];
  if (unread.length === 0) return null;
  return (
    <section className={classes.notices} aria-labelledby="notices">
      <h2 id="notices" className={classes.heading}>
        {t('demo.notices')}
      </h2>
      <ul className={classes.list}>
        {unread.map((notice) => (
          <li key={notice.id} className={classes.item}>
            <div className={classes.content}>
              <p className={classes.noticeTitle} dir="auto">
                {notice.target.title === '' ? t('board.untitled') : notice.target.title}
              </p>
              <NoticeTag notice={notice} />{' '}
              <span className="small">
                {notice.subject ?? t('demo.decided')} · <When iso={notice.createdAt} />
              </span>
              {notice.measure != null && (
                <div className={classes.paragraphs} dir="auto">
                  {notice.paragraphs?.map((paragraph) => (
                    <p key={paragraph}>{paragraph}</p>
                  ))}
                </div>
              )}
              {notice.reply != null && (
                <p className={classes.body} dir="auto">
                  {notice.reply}
                </p>
              )}
              {notice.explanation !== null && (
                <p className={classes.body} dir="auto">
                  {notice.explanation}
                </p>
              )}
            </div>
            <Button component={Link} to={notice.measure?.endedBy != null ? '/decisions' : `/decisions/${notice.reportId}`} size="compact-md" variant="default">
              {t('decisions.read')}
            </Button>
            <Button size="compact-md" variant="default" onClick={() => read.mutate(notice.id)}>
              {t('demo.noticeRead')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function NoticeTag({ notice }: { notice: Notice }) {
  if (notice.kind === 'appeal' && notice.outcome != null) return <AppealTag status={notice.outcome} />;
  return notice.resolution === '' ? null : <ResolutionTag resolution={notice.resolution} />;
}
