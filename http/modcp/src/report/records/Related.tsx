import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router';
import { keys } from '../../api/queryKeys';
import { relatedReports } from '../../api/reports';
import type { Report } from '../../api/types';
import { defaultFilters, writeFilters } from '../../board/filters';
import { useBulk } from '../../bulk/BulkProvider';
import { useI18n } from '../../i18n/I18n';
import { Icon } from '../../ui/Icon';
import { Panel } from '../../ui/Panel';
import { PersonName } from '../../ui/PersonName';
import { Loading } from '../../ui/States';
import { ReasonTag, ResolutionTag, StatusTag } from '../../ui/Tag';
import { When } from '../../ui/When';
import { offers } from '../possibleMoves';
import { useDecisions } from '../../decision/DecisionProvider';
import classes from './Related.module.css';

const shown = 10;

/** Other reports on the same target, and one decision for all that are open. */
export function Related({ report }: { report: Report }) {
  const { t } = useI18n();
  const bulk = useBulk();
  const { held } = useDecisions();
  const { search } = useLocation();
  const related = useQuery({ queryKey: keys.related(report.id), queryFn: ({ signal }) => relatedReports(report.id, { first: shown }, signal) });
  const rows = related.data?.edges ?? [];
  const open = rows.filter((row) => row.status !== 'done');
  if (related.isSuccess && rows.length === 0) return null;
  if (related.isError) return null;

  const resolveAll = () => {
    const all = [...(offers(report, 'resolve') && report.status !== 'done' && !held.has(report.id) ? [{ id: report.id, title: report.snapshot?.title ?? null }] : []), ...open.map((row) => ({ id: row.id, title: row.title }))];
    bulk.open('resolve', all);
  };

  return (
    <Panel
      id="related"
      flush
      title={t('report.related')}
      aside={
        open.length > 0 && report.moves.length > 0 ? (
          <Button size="compact-sm" variant="default" leftSection={<Icon name="check" size={14} />} onClick={resolveAll}>
            {t('report.resolveAll')}
          </Button>
        ) : undefined
      }
    >
      {related.isPending ? (
        <Loading rows={2} />
      ) : (
        <ul className={classes.list}>
          {rows.map((row) => (
            <li key={row.id} className={classes.row}>
              <ReasonTag reason={row.reason} />
              <Link to={`/modcp/reports/${row.id}${search}`} className={classes.link}>
                <PersonName person={row.reporter} plain />
              </Link>
              {row.resolution !== null ? <ResolutionTag resolution={row.resolution} /> : <StatusTag status={row.status} />}
              <span className={classes.when}>
                <When iso={row.createdAt} />
              </span>
            </li>
          ))}
          {related.data?.pageInfo.hasNextPage === true && (
            <li className={classes.row}>
              <Link to={{ pathname: '/modcp/reports', search: writeFilters({ ...defaultFilters, status: 'all', type: report.target.type, target: report.target.id }).toString() }}>
                {t('report.allOnTarget')}
              </Link>
            </li>
          )}
        </ul>
      )}
    </Panel>
  );
}
