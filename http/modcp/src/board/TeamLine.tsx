import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { keys } from '../api/queryKeys';
import { readTeam } from '../api/reports';
import { useI18n } from '../i18n/I18n';
import { useUser } from '../session/useSession';
import { usePainted } from '../ui/usePainted';
import { useVisible } from '../ui/useVisible';
import { When } from '../ui/When';
import { defaultFilters, writeFilters } from './filters';
import classes from './TeamLine.module.css';

/** Milliseconds between two reads. */
const readEvery = 120_000;

/** Who is online, who holds how many reports, and since when the oldest unclaimed one waits. A tab in the background does not ask. */
export function TeamLine({ ready }: { ready: boolean }) {
  const { t, number } = useI18n();
  const self = useUser();
  const visible = useVisible();
  const painted = usePainted(ready);
  const team = useQuery({
    queryKey: keys.team,
    queryFn: ({ signal }) => readTeam(signal),
    enabled: painted && visible,
    staleTime: readEvery,
    refetchInterval: readEvery,
    refetchOnWindowFocus: false,
  }).data;
  const others = (all: number, named: readonly unknown[]) => all > named.length && <span>{t('team.others', { count: all - named.length })}</span>;
  return (
    <div role="group" aria-label={t('team.title')} className={classes.line}>
      {team !== undefined && (
        <>
          <span className={classes.people}>
            {t('team.online')}
            {team.online.map(({ id, name }) => (
              <bdi key={id}>{id === self?.id ? t('team.you') : name}</bdi>
            ))}
            {others(team.onlineCount, team.online)}
          </span>
          <span className={classes.people}>
            {team.holders.length === 0 ? t('team.nobody') : t('team.holding')}
            {team.holders.map(({ id, name, reports }) => (
              <Link key={id} to={{ pathname: '/modcp/reports', search: writeFilters({ ...defaultFilters, status: 'in_progress', assigned: id === self?.id ? 'me' : id }).toString() }}>
                <bdi>{id === self?.id ? t('team.you') : name}</bdi> {number(reports)}
              </Link>
            ))}
            {others(team.holderCount, team.holders)}
          </span>
          <span>
            {team.oldestUnclaimed === null ? (
              t('team.noneUnclaimed')
            ) : (
              <>
                {t('team.oldest')}{' '}
                <Link to={`/modcp/reports/${team.oldestUnclaimed.id}`}>
                  <When iso={team.oldestUnclaimed.createdAt} aged />
                </Link>
              </>
            )}
          </span>
        </>
      )}
    </div>
  );
}
