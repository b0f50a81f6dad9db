import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../../api/queryKeys';
import { runProjection, type ProjectionBuild, type ProjectionRun, type ProjectionWork } from '../../api/operations';
import { useI18n } from '../../i18n/I18n';
import { Tag, type Tone } from '../../ui/Tag';
import { useToasts } from '../../ui/Toasts';
import { useErrorText } from '../../ui/useErrorText';
import { When } from '../../ui/When';
import { Confirm } from '../../ui/Confirm';
import { DataTable } from '../../ui/DataTable';
import classes from '../shared/Admin.module.css';
import { ProjectionName, useProjectionText } from './ProjectionName';
import { FailureReason } from '../shared/FailureReason';

/** The reports themselves, a projection without figures and builds. */
const inline = 'reports';
const tones: Record<ProjectionRun['state'], Tone> = { pending: 'blue', running: 'amber', done: 'green', failed: 'red' };

export const isUnderway = (run: ProjectionRun) => run.state === 'pending' || run.state === 'running';

/** The last verification and rebuild of each projection, with buttons to start one. */
export function ProjectionRuns({ builds, runs }: { builds: ProjectionBuild[]; runs: ProjectionRun[] }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const toasts = useToasts();
  const errorText = useErrorText();
  const text = useProjectionText();
  const [asking, setAsking] = useState<string | null>(null);
  const names = [...new Set([inline, ...builds.map((build) => build.name)])];
  const latest = (name: string, work: ProjectionWork) => runs.find((run) => run.name === name && run.work === work);
  const start = useMutation({
    mutationFn: ({ name, work }: { name: string; work: ProjectionWork }) => runProjection(name, work),
    onSuccess: (run) => toasts.show({ text: t('projections.asked', { name: text(run.name) }) }),
    onError: (error) => toasts.show({ text: errorText(error), tone: 'error' }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.projections }),
  });

  return (
    <>
      <h2 className={classes.heading}>{t('projections.runs')}</h2>
      <DataTable
        label={t('projections.runs')}
        rows={names}
        rowKey={(name) => name}
        columns={[
          { key: 'name', title: t('projections.name'), cell: (name) => <ProjectionName name={name} /> },
          { key: 'verify', title: t('projections.verified'), cell: (name) => <RunResult run={latest(name, 'verify')} /> },
          { key: 'rebuild', title: t('projections.rebuilt'), cell: (name) => <RunResult run={latest(name, 'rebuild')} /> },
          {
            key: 'action',
            title: t('admin.action'),
            actions: true,
            cell: (name) => (
              <div className={classes.buttons}>
                <Button size="compact-md" variant="default" aria-label={t('projections.verifyOf', { name: text(name) })} onClick={() => start.mutate({ name, work: 'verify' })}>
                  {t('projections.verify')}
                </Button>
                <Button size="compact-md" variant="default" aria-label={t('projections.rebuildOf', { name: text(name) })} onClick={() => setAsking(name)}>
                  {t('projections.rebuild')}
                </Button>
              </div>
            ),
          },
        ]}
      />
      {asking !== null && (
        <Confirm
          title={t('projections.rebuildTitle', { name: text(asking) })}
          action={t('projections.rebuild')}
          confirm={() => start.mutate({ name: asking, work: 'rebuild' })}
          close={() => setAsking(null)}
        >
          <p className={classes.detail}>{t('projections.rebuildHint')}</p>
        </Confirm>
      )}
    </>
  );
}

function RunResult({ run }: { run: ProjectionRun | undefined }) {
  const { t } = useI18n();
  if (run === undefined) return <span className={classes.muted}>{t('admin.never')}</span>;
  return (
    <div>
      <Tag tone={run.wrong > 0 && run.work === 'verify' ? 'red' : tones[run.state]}>
        {run.state === 'done' && run.work === 'verify' ? t('projections.wrong', { count: run.wrong }) : t(`projections.${run.state}`)}
      </Tag>{' '}
      <span className={classes.muted}>
        {isUnderway(run) && run.total > 0 ? t('admin.progress', { done: run.done, total: run.total }) : <When iso={run.finishedAt ?? run.requestedAt} />}
      </span>
      {run.error !== null && <FailureReason text={run.error} />}
      {run.findings.length > 0 && (
        <details className={classes.details}>
          <summary>{t('projections.findings', { count: run.findings.length })}</summary>
          <ul>
            {run.findings.map((finding) => (
              <li key={finding} dir="auto">
                {finding}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
