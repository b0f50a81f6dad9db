import { Link } from 'react-router';
import type { HeldItem } from '../api/held';
import { useI18n } from '../i18n/I18n';
import { bind } from '../keyboard/shortcuts';
import { useShortcuts } from '../keyboard/ShortcutProvider';
import { actionLabel } from '../report/work/actionLabel';
import frame from '../ui/TabbedList.module.css';
import { ListFrame } from '../ui/ListFrame';
import { moveFocus } from '../ui/moveFocus';
import { PageHead } from '../ui/Panel';
import { Empty } from '../ui/States';
import { ResolutionTag } from '../ui/Tag';
import { useTitle } from '../ui/useTitle';
import { When } from '../ui/When';
import classes from './Held.module.css';
import { Releasers } from './Releasers';
import { useHeld } from './useHeld';

/** The decisions that wait for a second person, the oldest first. */
export function HeldList() {
  const { t } = useI18n();
  useTitle(t('held.tab'));
  const list = useHeld();
  useShortcuts(bind('appeals', { next: () => moveFocus('a[data-held]', 1), previous: () => moveFocus('a[data-held]', -1) }));
  return (
    <div className="page">
      <PageHead title={t('held.tab')} hint={t('held.hint')} />
      <section className={frame.card} aria-label={t('held.title')}>
        <ListFrame list={list} empty={<Empty icon="check" title={t('held.empty')} />}>
          {(items: HeldItem[]) => (
            <ul className="bare">
              {items.map((item) => (
                <Row key={item.id} item={item} />
              ))}
            </ul>
          )}
        </ListFrame>
      </section>
    </div>
  );
}

function Row({ item }: { item: HeldItem }) {
  const { t, date } = useI18n();
  return (
    <li className={classes.row}>
      <p className={classes.line}>
        <Link to={`/modcp/reports/${item.reportId}`} className={classes.name} data-held={item.id} dir="auto">
          {item.report.title === '' ? t('board.untitled') : item.report.title}
        </Link>
        {item.resolution !== null && <ResolutionTag resolution={item.resolution} />}
        {item.action !== null && <span className={`small ${classes.muted}`}>{actionLabel(t, item.action)}</span>}
        {item.reports.length > 1 && <span className={`small ${classes.muted}`}>{t('held.reports', { count: item.reports.length })}</span>}
      </p>
      <p className={classes.line}>
        <bdi>{t('held.by', { name: item.by?.name ?? t('state.deletedAccount') })}</bdi> <When iso={item.at} aged />
      </p>
      <p className={`small ${classes.muted}`}>
        {t('held.until', { time: date(item.expiresAt) })} · <Releasers people={item.releasers} />
      </p>
    </li>
  );
}
