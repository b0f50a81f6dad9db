import { Link } from 'react-router';
import type { Measure } from '../api/measures';
import { PolicyLink } from '../decision/PolicyLink';
import { useI18n } from '../i18n/I18n';
import { usePermission } from '../session/usePermission';
import { When } from '../ui/When';
import { authorPath } from './authorPath';
import { EndMeasure } from './EndMeasure';
import { MeasureEnd } from './MeasureEnd';
import { MeasureTag } from './MeasureTag';
import classes from './Measures.module.css';
import { NameOfAuthor } from './NameOfAuthor';
import { MeasureState } from './MeasureState';

/** One measure: on whom, until when, and by which decision. */
export function MeasureRow({ measure, withAuthor = false }: { measure: Measure; withAuthor?: boolean }) {
  const { t } = useI18n();
  const imposes = usePermission('can_impose_measures');
  const { author, kind, reportId, policy } = measure;
  const name = author.name ?? author.account?.name ?? null;
  return (
    <li className={classes.row}>
      <div className={classes.what}>
        <p className={classes.line}>
          {withAuthor && (
            <Link to={authorPath(author)} className={classes.name} data-measure={measure.id}>
              <NameOfAuthor author={{ name }} />
            </Link>
          )}
          <MeasureTag kind={kind} ended={measure.endedAt !== null} />
          <MeasureState of={measure} />
          <span className={classes.until}>
            <MeasureEnd of={measure} />
          </span>
        </p>
        <p className={classes.muted}>
          {measure.threshold !== null ? t('measure.byLadderFor', { strikes: measure.threshold }) : t('measure.byModerator')} · <bdi>{measure.imposedBy?.name ?? t('state.deletedAccount')}</bdi> · <When iso={measure.imposedAt} />
          {policy !== null && (
            <>
              {' · '}
              <PolicyLink policy={policy} />
            </>
          )}
        </p>
      </div>
      <div className={classes.ways}>
        <Link to={`/modcp/reports/${reportId}`}>{t('measure.toDecision')}</Link>
        {imposes && measure.endedAt === null && <EndMeasure id={measure.id} reportId={reportId} version={measure.version} kind={kind} name={name ?? t('state.deletedAccount')} />}
      </div>
    </li>
  );
}
