import { Button } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { keys } from '../api/keys';
import { cronHealth, listCron, runCron } from '../api/operations';
import type { CronHealth, CronJob } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { Callout } from '../ui/Callout';
import { Icon } from '../ui/Icon';
import { PageHead } from '../ui/Panel';
import { Empty } from '../ui/States';
import { useToasts } from '../ui/Toasts';
import { useErrorText } from '../ui/useErrorText';
import { useTitle } from '../ui/useTitle';
import { When } from '../ui/When';
import classes from './Operations.module.css';
import { DataTable } from './DataTable';
import { ListFrame, nextCursor } from './ListFrame';

const every = 15_000;

export function Cron() {
  const { t } = useI18n();
  const client = useQueryClient();
  const toasts = useToasts();
  const errorText = useErrorText();
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
    onSuccess: (_answer, job) => toasts.show({ text: t('cron.ran', { name: job.name }) }),
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
                    <div className={classes.name}>
                      {job.module}:{job.name}
                    </div>
                    <div className={classes.muted}>
                      <bdi>{job.pluginId}</bdi>
                      {job.description !== null && job.description !== '' && (
                        <>
                          {' · '}
                          <bdi>{job.description}</bdi>
                        </>
                      )}
                    </div>
                  </div>
                ),
              },
              { key: 'schedule', title: t('cron.schedule'), cell: (job) => <code className={classes.code}>{job.schedule}</code> },
              { key: 'last', title: t('cron.lastRun'), end: true, cell: (job) => (job.lastRun === null ? <span className={classes.muted}>{t('state.never')}</span> : <When iso={job.lastRun} />) },
              { key: 'next', title: t('cron.nextRun'), end: true, minor: true, cell: (job) => (job.nextRun === null ? '–' : <When iso={job.nextRun} />) },
              {
                key: 'run',
                title: t('cron.action'),
                end: true,
                cell: (job) => (
                  <Button
                    size="compact-md"
                    variant="default"
                    leftSection={<Icon name="play" size={13} />}
                    aria-label={t('cron.runJob', { name: `${job.module}:${job.name}` })}
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
        <Callout tone="amber" title={t('cron.stale')}>
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
          <dd>{health.lastRun === null ? t('state.never') : <When iso={health.lastRun} />}</dd>
        </div>
      </dl>
    </>
  );
}
