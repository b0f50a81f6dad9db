import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { keys } from '../api/queryKeys';
import { listReports } from '../api/reports';
import { useI18n } from '../i18n/I18n';
import { useLive } from '../live/LiveProvider';
import { Callout } from '../ui/Callout';
import { throttle } from '../ui/throttle';
import { usePainted } from '../ui/usePainted';
import { When } from '../ui/When';
import { defaultFilters, writeFilters } from './filters';
import classes from './EscalatedToMe.module.css';

const shown = 3;
/** Milliseconds between two reads. */
const readEvery = 1_000;
const changes = ['escalated', 'returned', 'assigned', 'resolved', 'account_removed'];

/** What waits for the user to decide, on top of their board whatever its filters; nothing for those for whom nothing waits. */
export function EscalatedToMe({ ready }: { ready: boolean }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const [again] = useState(() => throttle(readEvery, () => void client.invalidateQueries({ queryKey: keys.escalated })));
  useEffect(() => () => again.cancel(), [again]);
  useLive((event) => {
    if (event.kind === 'change' && changes.includes(event.type)) again.call();
  });
  const list = useQuery({ queryKey: keys.escalated, queryFn: ({ signal }) => listReports({ escalated: 'me', order: 'asc', first: shown }, signal), enabled: usePainted(ready) }).data;
  if (list === undefined || list.edges.length === 0) return null;
  return (
    <section aria-label={t('escalation.mine')}>
      <Callout tone="amber" title={t('escalation.mine')}>
        <ul className={classes.list}>
          {list.edges.map((row) => (
            <li key={row.id}>
              <Link to={`/modcp/reports/${row.id}`} dir="auto">
                {row.title === '' ? t('board.untitled') : row.title}
              </Link>{' '}
              <span className={classes.by}>
                {row.escalated?.by != null && <bdi>{t('escalation.from', { name: row.escalated.by.name })}</bdi>} <When iso={row.escalated?.at ?? row.updatedAt} />
              </span>
              {row.escalated?.note != null && (
                <span className={classes.note} dir="auto">
                  {row.escalated.note}
                </span>
              )}
            </li>
          ))}
        </ul>
        <Link to={{ pathname: '/modcp/reports', search: writeFilters({ ...defaultFilters, status: 'all', only: 'escalated' }).toString() }}>
          {t('escalation.mineAll', { count: list.pageInfo.totalCount ?? list.edges.length })}
        </Link>
      </Callout>
    </section>
  );
}
