import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { formatDuration } from '../i18n/format';
import { usePolicies } from '../decision/usePolicies';
import { useI18n } from '../i18n/I18n';
import { PageHead, Panel } from '../ui/Panel';
import { Failure, Loading } from '../ui/States';
import { useTitle } from '../ui/useTitle';
import { When } from '../ui/When';
import { BarList } from './BarList';
import classes from './Dashboard.module.css';
import { DayPlot } from './DayPlot';
import { useFigures, type History } from './useFigures';

const reasonTones = { spam: 'violet', abusive: 'red', rule_violation: 'amber', other: undefined } as const;

export function Dashboard() {
  const { t, locale } = useI18n();
  const figures = useFigures();
  useTitle(t('stats.title'));
  const data = figures.data;
  const reports = (count: number) => t('stats.reports', { count });
  const duration = (seconds: number | null) => (seconds === null ? '–' : formatDuration(seconds, locale.id));
  const basis = (history: History) => t(history.measure === 'mean' ? 'stats.mean' : 'stats.median', { count: history.decisions });
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
            <Card to="/modcp/reports?status=done&sort=updated" title={t('stats.decision')} value={duration(data.history.decisionSeconds)} hint={basis(data.history)} />
          </dl>
          <div className={classes.grid}>
            <div className={classes.wide}>
              <Panel title={t('stats.byDay')} id="by-day">
                <DayPlot points={data.history.byDay} />
              </Panel>
            </div>
            <Panel title={t('stats.reasons')} id="by-reason">
              <BarList bars={data.byReason.map(({ reason, count }) => ({ key: reason, label: t(`reason.${reason}`), count, tone: reasonTones[reason] }))} />
            </Panel>
            <Panel title={t('stats.outcomes')} id="outcomes">
              <BarList bars={data.history.outcomes.map(({ resolution, count }) => ({ key: resolution, label: t(`resolution.${resolution}`), count, tone: resolution === 'action_taken' ? 'red' : resolution === 'duplicate' ? 'blue' : 'green' }))} />
              {data.history.measure === 'median' && <p className={classes.hint}>{t('stats.latest', { count: data.history.decisions })}</p>}
            </Panel>
            {data.history.appeals !== null && data.history.appeals.opened > 0 && <Appeals appeals={data.history.appeals} />}
            {data.byPolicy.length > 0 && <ByPolicy rules={data.byPolicy} />}
          </div>
        </>
      )}
    </div>
  );
}

function Appeals({ appeals }: { appeals: NonNullable<History['appeals']> }) {
  const { t, locale } = useI18n();
  return (
    <Panel title={t('stats.appeals')} id="appeals">
      <BarList
        bars={[
          { key: 'opened', label: t('stats.appealsOpened'), count: appeals.opened, tone: 'amber' },
          { key: 'upheld', label: t('appeal.status.upheld'), count: appeals.upheld },
          { key: 'overturned', label: t('appeal.status.overturned'), count: appeals.overturned, tone: 'violet' },
        ]}
      />
      {appeals.decisionSeconds !== null && <p className={classes.hint}>{t('stats.appealDecision', { time: formatDuration(appeals.decisionSeconds, locale.id) })}</p>}
    </Panel>
  );
}

/** Which rules the latest decisions refer to. */
function ByPolicy({ rules }: { rules: { key: string; count: number }[] }) {
  const { t } = useI18n();
  const policies = usePolicies();
  const title = (key: string) => policies?.find((policy) => policy.key === key)?.title ?? key;
  return (
    <Panel title={t('stats.byPolicy')} id="by-policy">
      <BarList bars={rules.map(({ key, count }) => ({ key, label: title(key), count, tone: 'blue' }))} />
      <p className={classes.hint}>{t('stats.byPolicyHint')}</p>
    </Panel>
  );
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
