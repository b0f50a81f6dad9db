import { useQuery } from '@tanstack/react-query';
import { keys } from '../../api/queryKeys';
import { listProjections, type ProjectionBuild } from '../../api/operations';
import { formatDuration } from '../../i18n/format';
import { useI18n } from '../../i18n/I18n';
import { PageHead } from '../../ui/Panel';
import { Empty, Failure, Loading } from '../../ui/States';
import { Tag, type Tone } from '../../ui/Tag';
import { useTitle } from '../../ui/useTitle';
import { When } from '../../ui/When';
import { DataTable } from '../../ui/DataTable';
import classes from '../shared/Admin.module.css';
import { ProjectionName } from './ProjectionName';
import { isUnderway, ProjectionRuns } from './ProjectionRuns';
import { FailureReason } from '../shared/FailureReason';

const tones: Record<ProjectionBuild['state'], Tone> = { building: 'blue', live: 'green', retired: 'neutral' };

/** How far each build is behind the log, and buttons to verify or rebuild a projection. */
export function Projections() {
  const { t } = useI18n();
  useTitle(t('admin.projections'));
  const list = useQuery({ queryKey: keys.projections, queryFn: ({ signal }) => listProjections(signal), refetchInterval: ({ state }) => (state.data?.runs.some(isUnderway) === true ? 1_000 : 5_000) });
  return (
    <>
      <PageHead title={t('admin.projections')} hint={t('projections.hint')} />
      {list.isPending ? (
        <Loading rows={6} />
      ) : list.data === undefined ? (
        <Failure error={list.error} retry={() => void list.refetch()} collection />
      ) : (
        <>
          {list.data.items.length === 0 ? <Empty title={t('projections.empty')} /> : <Builds builds={list.data.items} />}
          <ProjectionRuns builds={list.data.items} runs={list.data.runs} />
        </>
      )}
    </>
  );
}

/** Sorts by projection, the build in use before those under way. */
function Builds({ builds }: { builds: ProjectionBuild[] }) {
  const { t, number, locale } = useI18n();
  return (
    <DataTable
      label={t('admin.projections')}
      rows={builds}
      rowKey={(build) => `${build.name}:${build.build}`}
      columns={[
        {
          key: 'name',
          title: t('projections.name'),
          cell: (build) => (
            <div>
              <ProjectionName name={build.name} />
              <div className={classes.muted}>{t('projections.build', { build: build.build, version: build.version })}</div>
              {build.pausedAt !== null && (
                <div className={classes.bad}>
                  {t('projections.paused')} <When iso={build.pausedAt} />
                  {build.pausedWhy !== null && <FailureReason text={build.pausedWhy} />}
                </div>
              )}
            </div>
          ),
        },
        {
          key: 'state',
          title: t('replay.status'),
          cell: (build) => (build.pausedAt !== null ? <Tag tone="red">{t('projections.paused')}</Tag> : <Tag tone={tones[build.state]}>{t(`projections.${build.state}`)}</Tag>),
        },
        { key: 'position', title: t('projections.position'), end: true, minor: true, cell: (build) => number(build.position) },
        { key: 'behind', title: t('projections.behind'), end: true, cell: (build) => number(build.behindEvents) },
        { key: 'lag', title: t('projections.lag'), end: true, cell: (build) => formatDuration(build.lagSeconds, locale.id) },
      ]}
    />
  );
}
