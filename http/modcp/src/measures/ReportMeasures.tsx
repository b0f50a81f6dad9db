import type { Report } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { usePermission } from '../session/usePermission';
import { AuthorLink } from './AuthorLink';
import { EndMeasure } from './EndMeasure';
import { MeasureEnd } from './MeasureEnd';
import { MeasureTag } from './MeasureTag';
import classes from './Measures.module.css';
import { MeasureState } from './MeasureState';
import { useProposals } from './useProposals';

/** What the decisions on a report imposed on its authors, the newest first. */
export function ReportMeasures({ report }: { report: Report }) {
  const { t } = useI18n();
  const measures = report.measures ?? [];
  const imposes = usePermission('can_impose_measures');
  const allowed = useProposals([{ id: report.id, decisions: 1 }], '', imposes && measures.some(({ endedAt }) => endedAt === null))[0].data?.items ?? [];
  if (measures.length === 0) return null;
  const nameOf = (id: string) => report.snapshot?.authors.find((author) => author.id === id)?.name ?? null;
  return (
    <ul className={`bare ${classes.inReport}`} aria-label={t('measure.onAuthors', { count: 1 })}>
      {measures.toReversed().map((measure) => (
        <li key={measure.measureId}>
          <div className={classes.line}>
            <MeasureTag kind={measure.kind} ended={measure.endedAt !== null} />
            <MeasureState of={measure} />
            <AuthorLink pluginId={measure.author.pluginId} author={{ id: measure.author.id, name: nameOf(measure.author.id) }} />
            <span className={classes.muted}>
              <MeasureEnd of={measure} />
              {measure.because === 'ladder' && <> · {t('measure.byLadder')}</>}
            </span>
          </div>
          {measure.endedAt === null && allowed.some((item) => item.author.id === measure.author.id && item.kinds.includes(measure.kind)) && (
            <EndMeasure id={measure.measureId} reportId={report.id} version={report.version} kind={measure.kind} name={nameOf(measure.author.id) ?? t('state.deletedAccount')} />
          )}
        </li>
      ))}
    </ul>
  );
}
