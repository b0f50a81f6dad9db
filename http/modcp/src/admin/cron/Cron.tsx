import { Button } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { keys } from '../../api/queryKeys';
import { cronHealth, listCron, runCron } from '../../api/operations';
import type { CronHealth, CronJob } from '../../api/types';
import { useI18n } from '../../i18n/I18n';
import { Callout } from '../../ui/Callout';
import { Icon } from '../../ui/Icon';
import { PageHead } from '../../ui/Panel';
import { Empty } from '../../ui/States';
import { useToasts } from '../../ui/Toasts';
import { useErrorText } from '../../ui/useErrorText';
import { useNow } from '../../ui/useNow';
import { useTitle } from '../../ui/useTitle';
import { When } from '../../ui/When';
import classes from '../shared/Admin.module.css';
import { DataTable } from '../../ui/DataTable';
import { isDue } from './due';
import { ListFrame, nextCursor } from '../../ui/ListFrame';
import { Named } from '../shared/Named';
import { corePlugin, useNames } from '../shared/useNames';

const every = 15_000;
const keyOf = (job: CronJob) => `${job.module}:${job.name}`;

export function Cron() {
  const { t, known } = useI18n();
  const client = useQueryClient();
  const toasts = useToasts();
  const errorText = useErrorText();
  const now = useNow();
  const names = useNames();
  const nameOf = (job: CronJob) => names.job(job.module, job.name);
  useTitle(t('admin.cron'));
  const list = useInfiniteQuery({
    queryKey: keys.cron,
    queryFn: ({ pageParam, signal }) => listCron({ first: 50, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: nextCursor,
    refetchInterval: every,
  });
  const health = useQuery({ queryKey: [...keys.cron, 'health'], queryFn: ({ signal }) => cronHealth(signal), retry: false, refetchInterval: every });
  const run = useMutation({
    mutationFn: (job: CronJob) => runCron(job.id),
    onSuccess: (_answer, job) => toasts.show({ text: t('cron.ran', { name: nameOf(job) }) }),
    onError: (error) => toasts.show({ text: errorText(error), tone: 'error' }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.cron }),
  });

  return (
    <>
      <PageHead title={t('admin.cron')} hint={t('cron.hint')} />
      {health.data !== undefined && <Health health={health.data} />}
      <ListFrame list={list} empty={<Empty icon="clock" title={t('cron.empty')} />}>
        {(jobs: CronJob[]) => (
          <DataTable
            label={t('admin.cron')}
            rows={jobs}
            rowKey={(job) => job.id}
            columns={[
              {
                key: 'job',
                title: t('cron.job'),
                cell: (job) => (
                  <div>
                    <Named text={nameOf(job)} name={keyOf(job)} />
                    <div className={classes.words} dir="auto">
                      {known(`job.${keyOf(job)}`) ?? job.description}
                    </div>
                    {job.pluginId !== corePlugin && (
                      <div className={classes.muted}>
                        <bdi>{names.plugin(job.pluginId)}</bdi>
                      </div>
                    )}
                  </div>
                ),
              },
              { key: 'schedule', title: t('cron.schedule'), cell: (job) => <code className={classes.code}>{job.schedule}</code> },
              { key: 'last', title: t('cron.lastRun'), end: true, cell: (job) => (job.lastRun === null ? <span className={classes.muted}>{t('admin.never')}</span> : <When iso={job.lastRun} />) },
              { key: 'next', title: t('cron.nextRun'), end: true, minor: true, cell: (job) => (job.nextRun === null ? '–' : isDue(job.nextRun, now) ? t('cron.due') : <When iso={job.nextRun} />) },
              {
                key: 'run',
                title: t('admin.action'),
                actions: true,
                cell: (job) => (
                  <Button
                    size="compact-md"
                    variant="default"
                    leftSection={<Icon name="play" size={13} />}
                    aria-label={t('cron.runJob', { name: nameOf(job) })}
                    loading={run.isPending && run.variables.id === job.id}
                    onClick={() => run.mutate(job)}
                  >
                    {t('cron.run')}
                  </Button>
                ),
              },
            ]}
          />
        )}
      </ListFrame>
    </>
  );
}

function Health({ health }: { health: CronHealth }) {
  const { t, number } = useI18n();
  return (
    <>
      {health.defaultSecret && (
        <Callout tone="red" title={t('cron.defaultSecret')}>
          {t('cron.defaultSecretHint')}
        </Callout>
      )}
      {health.stale && (
        <Callout tone="amber" title={t(health.lastRun === null ? 'cron.noRun' : 'cron.stale')}>
          {t('cron.staleHint')}
        </Callout>
      )}
      <dl className={classes.figures}>
        <div>
          <dt>{t('cron.adapter')}</dt>
          <dd>{t(health.active ? 'cron.adapterOn' : 'cron.adapterOff')}</dd>
        </div>
        <div>
          <dt>{t('cron.jobs')}</dt>
          <dd>{number(health.jobs)}</dd>
        </div>
        <div>
          <dt>{t('cron.overdue')}</dt>
          <dd data-bad={health.overdueJobs > 0 || undefined}>{number(health.overdueJobs)}</dd>
        </div>
        <div>
          <dt>{t('cron.lastRun')}</dt>
          <dd>{health.lastRun === null ? t('admin.never') : <When iso={health.lastRun} />}</dd>
        </div>
      </dl>
    </>
  );
}
