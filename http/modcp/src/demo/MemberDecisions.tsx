import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { keys } from '../api/queryKeys';
import { readStanding } from '../api/measures';
import type { MemberDecision } from '../api/memberDecisions';
import { AppealTag } from '../appeals/AppealTag';
import { useI18n } from '../i18n/I18n';
import { nextCursor } from '../ui/ListFrame';
import { Empty } from '../ui/States';
import { ResolutionTag, Tag } from '../ui/Tag';
import { When } from '../ui/When';
import classes from './Forum.module.css';
import { ForumListPage } from './ForumListPage';
import { OwnStanding } from './OwnStanding';

/** The member's strikes and measures, and what was decided about their content and reports. */
export function MemberDecisions() {
  const { t } = useI18n();
  const list = useInfiniteQuery({
    queryKey: keys.standing,
    queryFn: ({ pageParam, signal }) => readStanding({ first: 25, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: ({ decisions }) => nextCursor(decisions),
    select: ({ pages, pageParams }) => ({ pageParams, pages: pages.map((page) => ({ ...page.decisions, strikes: page.strikes, measures: page.measures })) }),
  });
  const newest = list.data?.pages[0];
  return (
    <ForumListPage title={t('decisions.title')} hint={t('decisions.hint')} list={list} above={newest !== undefined && <OwnStanding strikes={newest.strikes} measures={newest.measures} decisions={list.data?.pages.flatMap((page) => page.edges) ?? []} />} empty={<Empty icon="scales" title={t('decisions.empty')} />}>
      {(rows) => (
        <ul className={classes.list}>
          {rows.map((row) => (
            <Row key={row.id} row={row} />
          ))}
        </ul>
      )}
    </ForumListPage>
  );
}

function Row({ row }: { row: MemberDecision }) {
  const { t, label } = useI18n();
  return (
    <li className={classes.item}>
      <div className={classes.content}>
        <Link to={`/decisions/${row.id}`} className={classes.title} dir="auto">
          {row.title === '' ? t('board.untitled') : row.title}
        </Link>
        {row.excerpt !== '' && (
          <p className={classes.body} dir="auto">
            {row.excerpt}
          </p>
        )}
        <p className={classes.meta}>
          {label(row.target.label)} · {t(`decisions.role.${row.role}`)}
          {row.decision !== null && (
            <>
              {' · '}
              <When iso={row.decision.decidedAt} />
            </>
          )}
        </p>
      </div>
      <div className={classes.state}>
        {row.decision === null ? <Tag tone="blue">{t('decisions.withdrawn')}</Tag> : <ResolutionTag resolution={row.decision.resolution} />}
        {row.appeal !== null && (
          <>
            <span className="small">{t('decisions.appeal')}</span> <AppealTag status={row.appeal.status} />
          </>
        )}
      </div>
    </li>
  );
}
