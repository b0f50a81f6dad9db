import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useParams } from 'react-router';
import { keys } from '../api/queryKeys';
import { authorRecord, type AuthorRecord } from '../api/stats';
import { resolutions } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { useRefresh } from '../live/useRefresh';
import { PageHead, Panel } from '../ui/Panel';
import { Failure, Loading } from '../ui/States';
import { useNow } from '../ui/useNow';
import { useTitle } from '../ui/useTitle';
import { AuthorHistory } from './AuthorHistory';
import { MeasureRow } from './MeasureRow';
import classes from './Measures.module.css';
import { useDay } from './useMeasureText';
import { useAuthorReports } from './useAuthorReports';

/** What was decided about an author: the strikes and measures that stand, and every decision with what became of it. */
export function AuthorPage() {
  const { plugin = '', id = '' } = useParams();
  const { t } = useI18n();
  const day = useDay();
  const record = useQuery({ queryKey: keys.authorRecord(plugin, id), queryFn: ({ signal }) => authorRecord(id, plugin, signal) });
  const reports = useAuthorReports(plugin, id);
  const rows = reports.data?.pages.flatMap((page) => page.edges) ?? [];
  const name = record.data?.account?.name ?? rows.flatMap(({ authors }) => authors).find((author) => author.id === id)?.name ?? null;
  useTitle(name ?? t('author.title'));
  useRefresh(keys.records, 400, (event) => event.kind === 'reset' || (event.kind === 'change' && rows.some((row) => row.id === event.reportId)));
  if (record.isPending || reports.isPending) return <Loading rows={8} />;
  if (record.data === undefined) return <Failure error={record.error} retry={() => void record.refetch()} />;
  return (
    <div className="page">
      <PageHead
        title={<bdi>{name ?? id}</bdi>}
        hint={
          <>
            {t('author.hint')} {record.data.memberSince !== null && `${t('record.memberSince')} ${day(record.data.memberSince)} · `}
            {t('author.id')} <code>{id}</code>
          </>
        }
      />
      <div className={classes.stack}>
        <Standing key={id} plugin={plugin} id={id} now={record.data} />
        <Panel id="decisions" title={t('author.history')} flush>
          <AuthorHistory reports={reports} plugin={plugin} id={id} />
        </Panel>
      </div>
    </div>
  );
}

/** The strikes and measures that stand, or stood on a day. */
function Standing({ plugin, id, now }: { plugin: string; id: string; now: AuthorRecord }) {
  const { t, number } = useI18n();
  const [on, setOn] = useState('');
  const field = useId();
  const clock = useNow();
  const at = on === '' ? NaN : Math.min(Date.parse(`${on}T23:59:59`), clock);
  const past = !Number.isNaN(at);
  const then = useQuery({
    queryKey: keys.authorRecordAt(plugin, id, on),
    queryFn: ({ signal }) => authorRecord(id, plugin, signal, new Date(at).toISOString()),
    enabled: past,
    staleTime: Infinity,
  });
  const shown = past ? then.data : now;
  return (
    <Panel
      id="standing"
      title={t('author.standing')}
      aside={
        <div className={classes.at}>
          <label htmlFor={field}>{t('author.asOf')}</label>
          <TextInput id={field} type="date" size="xs" max={new Date(clock).toISOString().slice(0, 10)} value={on} onChange={(event) => setOn(event.currentTarget.value)} />
          {on !== '' && (
            <Button size="compact-sm" variant="default" onClick={() => setOn('')}>
              {t('author.now')}
            </Button>
          )}
        </div>
      }
    >
      {shown === undefined ? (
        then.isError ? <Failure error={then.error} retry={() => void then.refetch()} /> : <Loading rows={2} />
      ) : (
        <>
          <dl className={classes.figures}>
            <div>
              <dt>{t('author.strikes')}</dt>
              <dd>{number(shown.strikes)}</dd>
            </div>
            <div>
              <dt>{t('author.measures')}</dt>
              <dd>{number(shown.measures.length)}</dd>
            </div>
            {!past &&
              resolutions.map((resolution) => (
                <div key={resolution}>
                  <dt>{t(`resolution.${resolution}`)}</dt>
                  <dd>{number(now.outcomes[resolution])}</dd>
                </div>
              ))}
          </dl>
          {shown.measures.length === 0 ? (
            <p className={classes.muted}>{t('author.noMeasures')}</p>
          ) : (
            <ul className={`bare ${classes.list}`}>
              {shown.measures.map((measure) => (
                <MeasureRow key={measure.id} measure={measure} />
              ))}
            </ul>
          )}
        </>
      )}
    </Panel>
  );
}
