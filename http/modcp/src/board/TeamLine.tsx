import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { keys } from '../api/queryKeys';
import { listOnline, listReports } from '../api/reports';
import type { Person } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { useUser } from '../session/useSession';
import { useVisible } from '../ui/useVisible';
import { When } from '../ui/When';
import { defaultFilters, writeFilters } from './filters';
import classes from './TeamLine.module.css';

/** Milliseconds between two reads of each list. */
const readEvery = 120_000;
const counted = 100;
const named = 5;

/** Who is online, who holds how many reports, and since when the oldest unclaimed one waits. A tab in the background does not ask. */
export function TeamLine({ ready }: { ready: boolean }) {
  const { t, number } = useI18n();
  const self = useUser();
  const visible = useVisible();
  const reading = { enabled: ready && visible, staleTime: readEvery, refetchInterval: readEvery, refetchOnWindowFocus: false } as const;
  const online = useQuery({ ...reading, queryKey: keys.team('online'), queryFn: ({ signal }) => listOnline(signal) }).data;
  const held = useQuery({ ...reading, queryKey: keys.team('held'), queryFn: ({ signal }) => listReports({ status: 'in_progress', orderBy: 'updatedAt', first: counted }, signal) }).data;
  const unclaimed = useQuery({ ...reading, queryKey: keys.team('unclaimed'), queryFn: ({ signal }) => listReports({ status: 'new', order: 'asc', first: 1 }, signal) }).data;
  const oldest = unclaimed?.edges[0];
  const holders = countHolders(held?.edges ?? []);
  const unnamed = (online?.pageInfo.totalCount ?? online?.edges.length ?? 0) - named;
  return (
    <div role="group" aria-label={t('team.title')} className={classes.line}>
      {online !== undefined && (
        <span className={classes.people}>
          {t('team.online')}
          {online.edges.slice(0, named).map(({ id, name }) => (
            <bdi key={id}>{id === self?.id ? t('team.you') : name}</bdi>
          ))}
          {unnamed > 0 && <span>{t('team.others', { count: unnamed })}</span>}
        </span>
      )}
      {held !== undefined && (
        <span className={classes.people}>
          {holders.length === 0 ? t('team.nobody') : t('team.holding')}
          {holders.slice(0, named).map(({ person, count }) => (
            <Link key={person.id} to={{ pathname: '/modcp/reports', search: writeFilters({ ...defaultFilters, status: 'in_progress', assigned: person.id === self?.id ? 'me' : person.id }).toString() }}>
              <bdi>{person.id === self?.id ? t('team.you') : person.name}</bdi> {number(count)}
            </Link>
          ))}
          {holders.length > named && <span>{t('team.others', { count: holders.length - named })}</span>}
          {held.pageInfo.hasNextPage && <span>{t('team.partial', { count: counted })}</span>}
        </span>
      )}
      {unclaimed !== undefined && (
        <span>
          {oldest === undefined ? (
            t('team.noneUnclaimed')
          ) : (
            <>
              {t('team.oldest')}{' '}
              <Link to={`/modcp/reports/${oldest.id}`}>
                <When iso={oldest.createdAt} aged />
              </Link>
            </>
          )}
        </span>
      )}
    </div>
  );
}

/** Counts reports by holder, those who hold most first. */
export function countHolders(rows: readonly { assignee: Person | null }[]): { person: Person; count: number }[] {
  const holders = new Map<string, { person: Person; count: number }>();
  for (const { assignee } of rows) {
    if (assignee === null) continue;
    const holder = holders.get(assignee.id);
    if (holder === undefined) holders.set(assignee.id, { person: assignee, count: 1 });
    else holder.count++;
  }
  return [...holders.values()].toSorted((a, b) => b.count - a.count);
}
