import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import type { Counts } from '../api/types';
import { useHeld } from '../held/useHeld';
import { useI18n } from '../i18n/I18n';
import { usePermission } from '../session/usePermission';
import { usePainted } from '../ui/usePainted';
import { changeFilters, writeFilters, type BoardFilters } from './filters';
import classes from './StatusTabs.module.css';

const tabs = [
  ['new', 'new'],
  ['in_progress', 'inProgress'],
  ['done', 'done'],
  ['all', null],
] as const;

/** The tabs are links, so that each opens in a new window like any other. */
export function StatusTabs({ filters, counts }: { filters: BoardFilters; counts: Counts | undefined }) {
  const { t, number } = useI18n();
  const shown = (count: number) => (counts?.capped === true ? t('board.atLeast', { count }) : number(count));
  const releases = usePermission('can_approve');
  const held = useHeld(usePainted(releases && counts !== undefined)); // the board comes first
  const waiting = held.data?.pages.flatMap(({ edges }) => edges).length ?? 0;
  const current = useRef<HTMLAnchorElement>(null);
  // On a narrow phone the tabs scroll, and the one that is open may lie out of sight. Before
  // the frame, the browser would have to lay out a page that is still being built.
  useEffect(() => {
    const frame = requestAnimationFrame(() => void current.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' }));
    return () => cancelAnimationFrame(frame);
  }, [filters.status]);
  return (
    <nav aria-label={t('board.tabs')} className={classes.tabs}>
      {tabs.map(([status, count]) => (
        <Link
          key={status}
          ref={filters.status === status ? current : undefined}
          to={{ search: writeFilters(changeFilters(filters, { status })).toString() }}
          className={classes.tab}
          aria-current={filters.status === status ? 'page' : undefined}
        >
          {t(status === 'all' ? 'board.all' : `status.${status}`)}
          <span className={classes.count}>{counts !== undefined && shown(count === null ? counts.new + counts.inProgress + counts.done : counts[count])}</span>
        </Link>
      ))}
      {waiting > 0 && (
        <Link to="/modcp/held" className={classes.tab}>
          {t('held.tab')}
          <span className={classes.count}>{held.hasNextPage ? t('board.atLeast', { count: waiting }) : number(waiting)}</span>
        </Link>
      )}
    </nav>
  );
}
