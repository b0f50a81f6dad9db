import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { keys } from '../api/queryKeys';
import { readOwnAgreement } from '../api/seconds';
import { formatDuration } from '../i18n/format';
import { useI18n } from '../i18n/I18n';
import { useSecondOpinions } from '../session/useSecondOpinions';
import { PageHead, Panel } from '../ui/Panel';
import { Failure, Loading } from '../ui/States';
import { useTitle } from '../ui/useTitle';
import { When } from '../ui/When';
import { BarList } from './BarList';
import classes from './Dashboard.module.css';
import { DayPlot, type Series } from './DayPlot';
import { PolicyPlot } from './PolicyPlot';
import { useFigures, type DayFigures } from './useFigures';

const reasonTones = { spam: 'violet', abusive: 'red', rule_violation: 'amber', other: undefined } as const;

export function Dashboard() {
  const { t, locale } = useI18n();
  const figures = useFigures();
  useTitle(t('stats.title'));
  const data = figures.data;
  const appeals = data?.history.appeals;
  const reports = (count: number) => t('stats.reports', { count });
  const duration = (seconds: number | null) => (seconds === null ? '–' : formatDuration(seconds, locale.id));
  return (
    <div className={classes.page}>
      <PageHead title={t('stats.title')} hint={t('stats.hint')} />
      {figures.isPending ? (
        <Loading rows={8} height={28} />
      ) : data === undefined ? (
        <Failure error={figures.error} retry={() => void figures.refetch()} collection />
      ) : (
        <>
          <dl className={classes.cards}>
            <Card to="/modcp/reports" title={t('stats.waiting')} value={reports(data.counts.new)} />
            <Card to="/modcp/reports?sort=oldest" title={t('stats.oldest')} value={data.oldestAt === null ? '–' : <When iso={data.oldestAt} aged figure />} />
            <Card to="/modcp/reports?status=all&assigned=me" title={t('stats.mine')} value={reports(data.counts.mine)} />
            <Card to="/modcp/reports?status=in_progress" title={t('stats.inProgress')} value={reports(data.counts.inProgress)} />
            {data.history.firstActionSeconds !== null && (
              <Card
                to="/modcp/reports?status=all&sort=updated"
                title={t('stats.firstAction')}
                value={duration(data.history.firstActionSeconds)}
                hint={t('stats.meanActions', { count: data.history.firstActions })}
              />
            )}
            <Card to="/modcp/reports?status=done&sort=updated" title={t('stats.decision')} value={duration(data.history.decisionSeconds)} hint={t('stats.mean', { count: data.history.decisions })} />
            <OwnAgreement />
          </dl>
          <div className={classes.grid}>
            <Days
              id="by-day"
              title={t('stats.byDay')}
              points={data.history.byDay}
              series={[
                { key: 'opened', label: t('stats.opened'), tone: 'first' },
                { key: 'decided', label: t('stats.decided'), tone: 'second' },
              ]}
            />
            {data.history.deadlines !== null && (
              <Days
                id="deadlines"
                title={t('stats.deadlines')}
                points={data.history.byDay}
                series={[
                  { key: 'kept', label: t('stats.deadlinesKept'), tone: 'second' },
                  { key: 'missed', label: t('stats.deadlinesMissed'), tone: 'third' },
                ]}
                hint={t('stats.deadlinesHint', data.history.deadlines)}
              />
            )}
            <Panel title={t('stats.reasons')} id="by-reason">
              <BarList bars={data.byReason.map(({ reason, count }) => ({ key: reason, label: t(`reason.${reason}`), count, tone: reasonTones[reason] }))} />
            </Panel>
            <Panel title={t('stats.outcomes')} id="outcomes">
              <BarList bars={data.history.outcomes.map(({ resolution, count }) => ({ key: resolution, label: t(`resolution.${resolution}`), count, tone: resolution === 'action_taken' ? 'red' : resolution === 'duplicate' ? 'blue' : 'green' }))} />
            </Panel>
            {appeals !== undefined && appeals.opened + appeals.upheld + appeals.overturned > 0 && (
              <Days
                id="appeals"
                title={t('stats.appeals')}
                points={data.history.byDay}
                series={[
                  { key: 'appealsOpened', label: t('stats.appealsOpened'), tone: 'first' },
                  { key: 'appealsUpheld', label: t('appeal.status.upheld'), tone: 'second' },
                  { key: 'appealsOverturned', label: t('appeal.status.overturned'), tone: 'third' },
                ]}
                hint={appeals.decisionSeconds === null ? undefined : t('stats.appealDecision', { time: duration(appeals.decisionSeconds) })}
              />
            )}
            {data.history.policies.length > 0 && (
              <div className={classes.wide}>
                <Panel title={t('stats.byPolicy')} id="by-policy">
                  <PolicyPlot policies={data.history.policies} />
                </Panel>
              </div>
            )}
          </div>
        </>
      )}
    </div>
  );
}

/** A plot of days in a panel as wide as the page. */
function Days<Key extends keyof DayFigures>({ id, title, points, series, hint }: { id: string; title: string; points: DayFigures[]; series: Series<Key>[]; hint?: string }) {
  return (
    <div className={classes.wide}>
      <Panel title={title} id={id}>
        <DayPlot title={title} points={points} series={series} />
        {hint !== undefined && <p className={classes.hint}>{hint}</p>}
      </Panel>
    </div>
  );
}

/** How often others agreed with the user, where anybody has decided one of theirs again. */
function OwnAgreement() {
  const { t, number } = useI18n();
  const used = useSecondOpinions();
  const { data } = useQuery({ queryKey: keys.agreement, queryFn: ({ signal }) => readOwnAgreement(signal), enabled: used, staleTime: 60_000 });
  if (data === undefined || data.n + data.golden.n === 0) return null;
  const kappa = data.kappa === null ? t('seconds.kappaFew') : t('seconds.kappa', { kappa: number(Math.round(data.kappa * 100) / 100) });
  return <Card to="/modcp/seconds" title={t('seconds.agreement')} value={t('seconds.agreementOf', { agreed: data.agreed, n: data.n })} hint={data.golden.n === 0 ? kappa : `${kappa} · ${t('seconds.golden', data.golden)}`} />;
}

function Card({ to, title, value, hint }: { to: string; title: string; value: ReactNode; hint?: string }) {
  return (
    <div className={classes.card}>
      <dt>
        <Link to={to}>{title}</Link>
      </dt>
      <dd>{value}</dd>
      {hint !== undefined && <dd className={classes.hint}>{hint}</dd>}
    </div>
  );
}
