import { useQuery } from '@tanstack/react-query';
import { keys } from '../api/queryKeys';
import type { Decision } from '../api/reports';
import { previewStatement } from '../api/statements';
import type { Report } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { Failure, Loading } from '../ui/States';
import classes from './DecisionStatement.module.css';
import { usePolicies } from './usePolicies';

/** The statement that the EU's transparency database gets of a decision that is being written, where its rule says something there. */
export function DatabasePreview({ report, decision, action }: { report: Report; decision: Decision; action: string | null }) {
  const { t } = useI18n();
  const policy = decision.policy ?? null;
  const stated = usePolicies()?.find(({ key }) => key === policy?.key)?.statement != null;
  const asked = { policy: policy === null ? null : { key: policy.key, version: policy.version }, actions: action === null ? [] : [action], measures: decision.measures ?? [] };
  const preview = useQuery({ queryKey: keys.statementPreview(report.id, asked), queryFn: ({ signal }) => previewStatement(report.id, asked, signal), enabled: stated });
  if (!stated) return null;
  return (
    <section className={classes.note}>
      <h3>{t('statements.preview')}</h3>
      {preview.isPending && <Loading rows={4} />}
      {preview.isError && <Failure error={preview.error} retry={() => void preview.refetch()} />}
      {preview.data?.missing.map((what) => <p key={what}>{t(`statements.missing.${what}`)}</p>)}
      {preview.data?.statement === null && preview.data.missing.length === 0 && <p>{t('statements.none')}</p>}
      {preview.data?.statement != null && (
        <dl className={classes.facts} dir="ltr" lang="en">
          {Object.entries(preview.data.statement)
            .filter(([field]) => field !== 'puid')
            .map(([field, value]) => (
              <div key={field}>
                <dt>{field}</dt>
                <dd dir="auto">{Array.isArray(value) ? value.join(', ') : String(value)}</dd>
              </div>
            ))}
        </dl>
      )}
    </section>
  );
}
