import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { keys } from '../api/queryKeys';
import { csvOf, jsonOf, readPublished } from '../api/transparency';
import forum from '../demo/Forum.module.css';
import { formatDay } from '../i18n/format';
import { useI18n } from '../i18n/I18n';
import { Failure, Loading } from '../ui/States';
import { useTitle } from '../ui/useTitle';
import { Cells } from './Cells';

/** A published transparency report, for everybody. */
export function TransparencyPage() {
  const { id = '' } = useParams();
  const { t, number, locale } = useI18n();
  const report = useQuery({ queryKey: keys.publishedReport(id), queryFn: ({ signal }) => readPublished(id, signal), staleTime: Infinity });
  useTitle(t('transparency.title'));
  if (report.isPending) return <Loading rows={10} />;
  if (report.data === undefined) return <Failure error={report.error} retry={() => void report.refetch()} />;
  const { since, until, cells, position, rootHash, queryVersion, note } = report.data;
  return (
    <>
      <section className={forum.intro}>
        <h1>{t('transparency.title')}</h1>
        <p>{t('transparency.days', { since: formatDay(since, locale.id), until: formatDay(until, locale.id) })}</p>
        <p>
          <a href={jsonOf(id)}>JSON</a> · <a href={csvOf(id)}>CSV</a>
        </p>
      </section>
      <Cells cells={cells} />
      <p className={forum.meta}>{t('transparency.masked')}</p>
      <details className={forum.meta}>
        <summary>{t('transparency.proof')}</summary>
        <p>{t('transparency.proofHint', { position: number(position), query: queryVersion })}</p>
        <p dir="ltr">
          <code style={{ overflowWrap: 'anywhere' }}>{rootHash}</code>
        </p>
        <pre dir="ltr" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {note}
        </pre>
      </details>
    </>
  );
}
