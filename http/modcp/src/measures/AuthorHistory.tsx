import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { policyVersions } from '../api/policies';
import { keys } from '../api/queryKeys';
import { readTimeline } from '../api/reports';
import type { ReportItem, TimelineEntry } from '../api/types';
import { AppealTag } from '../appeals/AppealTag';
import { PolicyLink } from '../decision/PolicyLink';
import { useI18n } from '../i18n/I18n';
import { useEntryText } from '../report/timeline/useEntryText';
import { ListFrame } from '../ui/ListFrame';
import { Empty, Loading } from '../ui/States';
import { ResolutionTag, StatusTag } from '../ui/Tag';
import { useNow } from '../ui/useNow';
import { When } from '../ui/When';
import classes from './Measures.module.css';
import type { useAuthorReports } from './useAuthorReports';
import { useDay } from './useMeasureText';

/** The entries of a report's timeline that say what became of its author. */
const told: ReadonlySet<string> = new Set(['resolved', 'reopened', 'appealed', 'appeal_decided', 'measure_imposed', 'measure_ended', 'measure_failed']);

/** How many entries of a report are read. */
const entriesRead = 100;

/** The decisions on an author's content in time, each with its strikes, measures and appeal. */
export function AuthorHistory({ reports, plugin, id }: { reports: ReturnType<typeof useAuthorReports>; plugin: string; id: string }) {
  const { t } = useI18n();
  return (
    <ListFrame list={reports} empty={<Empty icon="scales" title={t('author.noReports')} />}>
      {(rows: ReportItem[]) => (
        <ul className={`bare ${classes.list}`}>
          {rows.map((row) => (
            <Decision key={row.id} row={row} concerns={({ data }) => data.author === undefined || (data.author.id === id && data.author.pluginId === plugin)} />
          ))}
        </ul>
      )}
    </ListFrame>
  );
}

function Decision({ row, concerns }: { row: ReportItem; concerns: (entry: TimelineEntry) => boolean }) {
  const { t, label } = useI18n();
  const text = useEntryText(row);
  const timeline = useQuery({
    queryKey: keys.authorEntries(row.id),
    queryFn: ({ signal }) => readTimeline(row.id, { first: entriesRead, order: 'desc' }, signal),
  });
  const entries = (timeline.data?.edges ?? []).filter((entry) => told.has(entry.type) && concerns(entry)).toReversed();
  return (
    <li className={classes.decision}>
      <p className={classes.line}>
        <Link to={`/modcp/reports/${row.id}`} className={classes.name} dir="auto">
          {row.title === null || row.title === '' ? t('board.untitled') : row.title}
        </Link>
        {row.resolution === null ? <StatusTag status={row.status} /> : <ResolutionTag resolution={row.resolution} />}
        <span className={classes.muted}>
          {label(row.target.label)}
          {row.decision?.policy != null && (
            <>
              {' · '}
              <PolicyLink policy={row.decision.policy} />
            </>
          )}
        </span>
      </p>
      <Strikes row={row} />
      {timeline.isPending && <Loading rows={2} />}
      {entries.length > 0 && (
        <ol className={`bare ${classes.entries}`}>
          {entries.map((entry) => (
            <li key={entry.id}>
              <bdi>{text(entry)}</bdi> <When iso={entry.occurredAt} /> <AppealOf entry={entry} />
            </li>
          ))}
        </ol>
      )}
    </li>
  );
}

/** Leads from an appeal to it, with its outcome. */
function AppealOf({ entry: { type, data } }: { entry: TimelineEntry }) {
  const { t } = useI18n();
  if (type === 'appeal_decided' && data.outcome !== undefined) return <AppealTag status={data.outcome} />;
  return type === 'appealed' && data.appealId !== undefined ? <Link to={`/modcp/appeals/${data.appealId}`}>{t('appeals.open')}</Link> : null;
}

/** The strikes that a decision gives, as its version of the rule has them, and until when they count. */
function Strikes({ row: { decision, resolution } }: { row: ReportItem }) {
  const { t } = useI18n();
  const day = useDay();
  const now = useNow();
  const policy = resolution === 'action_taken' ? (decision?.policy ?? null) : null;
  const versions = useQuery({ queryKey: keys.policyVersions(policy?.key ?? ''), queryFn: ({ signal }) => policyVersions(policy?.key ?? '', signal), enabled: policy !== null, staleTime: Infinity });
  const rule = versions.data?.edges.find(({ version }) => version === policy?.version);
  if (decision == null || rule === undefined || rule.strikes === 0) return null;
  const until = Date.parse(decision.decidedAt) + rule.strikeDays * 86_400_000;
  return <p className={classes.muted}>{t(until > now ? 'author.strikesUntil' : 'author.strikesOver', { strikes: rule.strikes, day: day(new Date(until).toISOString()) })}</p>;
}
