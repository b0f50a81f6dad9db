import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { nextCursor, ListFrame } from '../ui/ListFrame';
import { moveFocus } from '../ui/moveFocus';
import { isOwn, listAppeals, type AppealItem } from '../api/appeals';
import { keys } from '../api/queryKeys';
import { useI18n } from '../i18n/I18n';
import { bind } from '../keyboard/shortcuts';
import { useShortcuts } from '../keyboard/ShortcutProvider';
import { usePollInterval } from '../live/LiveProvider';
import { useRefresh } from '../live/useRefresh';
import { useUser } from '../session/useSession';
import { PageHead } from '../ui/Panel';
import { PersonName } from '../ui/PersonName';
import { Empty } from '../ui/States';
import { ResolutionTag } from '../ui/Tag';
import { useTitle } from '../ui/useTitle';
import { When } from '../ui/When';
import frame from '../ui/TabbedList.module.css';
import classes from './Appeals.module.css';
import { AppealTag } from './AppealTag';
import { concernsAppeals } from './concernsAppeals';

const tabs = ['mine', 'open', 'done'] as const;
type Tab = (typeof tabs)[number];

const pollEvery = 20_000;

/** The appeals that wait for a decision, oldest first, and those that were decided. */
export function AppealQueue() {
  const { t } = useI18n();
  const [params] = useSearchParams();
  const user = useUser();
  const poll = usePollInterval(pollEvery);
  const tab: Tab = tabs.find((name) => name === params.get('tab')) ?? 'mine';
  useTitle(t('appeals.title'));
  const list = useInfiniteQuery({
    queryKey: [...keys.appeals, tab],
    queryFn: ({ pageParam, signal }) => listAppeals(tab === 'done' ? { status: 'upheld,overturned', order: 'desc', first: 50, cursor: pageParam } : { status: 'open', mine: tab === 'mine' || undefined, first: 50, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: nextCursor,
    refetchInterval: poll,
  });

  useRefresh(keys.appeals, 200, (event) => event.kind === 'reset' || (event.kind === 'change' && concernsAppeals.has(event.type)));

  useShortcuts(bind('appeals', { next: () => moveFocus('a[data-appeal]', 1), previous: () => moveFocus('a[data-appeal]', -1) }));

  return (
    <div className="page">
      <PageHead title={t('appeals.title')} hint={t('appeals.hint')} />
      <section className={frame.card} aria-label={t('appeals.title')}>
        <nav className={frame.tabs} aria-label={t('appeals.tabs')}>
          {tabs.map((name) => (
            <Link key={name} to={{ search: name === 'mine' ? '' : `tab=${name}` }} className={frame.tab} aria-current={name === tab ? 'page' : undefined}>
              {t(`appeals.tab.${name}`)}
            </Link>
          ))}
        </nav>
        <ListFrame list={list} empty={<None tab={tab} />}>
          {(appeals: AppealItem[]) => (
            <ul className="bare">
              {appeals.map((appeal) => (
                <Row key={appeal.id} appeal={appeal} own={isOwn(appeal, user?.id)} search={params.toString()} />
              ))}
            </ul>
          )}
        </ListFrame>
      </section>
    </div>
  );
}

function None({ tab }: { tab: Tab }) {
  const { t } = useI18n();
  return <Empty icon="scales" title={t(`appeals.empty.${tab}`)} />;
}

function Row({ appeal, own, search }: { appeal: AppealItem; own: boolean; search: string }) {
  const { t, label } = useI18n();
  const title = appeal.report.title;
  return (
    <li className={classes.row}>
      <div className={classes.what}>
        <p className={classes.line}>
          <Link to={{ pathname: `/modcp/appeals/${appeal.id}`, search }} className={classes.title} data-appeal={appeal.id} dir="auto">
            {title === '' ? t('board.untitled') : title}
          </Link>
          <AppealTag status={appeal.status} />
          {appeal.report.resolution !== null && appeal.status === 'open' && <ResolutionTag resolution={appeal.report.resolution} />}
          {own && appeal.status === 'open' && <span className="small">{t('appeals.ownDecision')}</span>}
        </p>
        <p className={classes.excerpt}>
          <span className="small">{label(appeal.report.target.label)} ·</span>
          <span className={classes.said} dir="auto">
            {appeal.text ?? t('state.erased')}
          </span>
        </p>
      </div>
      <div className={classes.who}>
        <span className="small">{t(`appeal.by.${appeal.by}`)}</span>
        <PersonName person={appeal.appellant} plain />
      </div>
      <div className={classes.when}>
        <When iso={appeal.decidedAt ?? appeal.createdAt} aged={appeal.status === 'open'} />
      </div>
    </li>
  );
}
