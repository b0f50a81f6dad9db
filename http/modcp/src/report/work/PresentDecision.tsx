import type { Report, ReportDecision } from '../../api/types';
import { PolicyLink } from '../../decision/PolicyLink';
import { useI18n } from '../../i18n/I18n';
import { ReportMeasures } from '../../measures/ReportMeasures';
import { Words } from '../../richtext/Words';
import { PersonName } from '../../ui/PersonName';
import { ResolutionTag } from '../../ui/Tag';
import { When } from '../../ui/When';
import classes from './WorkPanel.module.css';

/** The present decision: the outcome, by whom, and why. */
export function PresentDecision({ report }: { report: Report }) {
  const { t } = useI18n();
  return (
    <div className={classes.outcome}>
      <div className={classes.decided}>
        {report.resolution !== null && <ResolutionTag resolution={report.resolution} />}
        <PersonName person={report.resolver} plain />
        {report.resolvedAt !== null && (
          <span className="small">
            <When iso={report.resolvedAt} />
          </span>
        )}
      </div>
      {report.explanation !== null && report.explanation !== '' ? (
        <p className={classes.explanation} dir="auto">
          {report.explanation}
        </p>
      ) : (
        <p className={classes.nobody}>{t(report.erased === true ? 'state.erased' : 'report.noExplanation')}</p>
      )}
      {report.decision != null && <Statement decision={report.decision} />}
      <ReportMeasures report={report} />
    </div>
  );
}

/** The rule of a decision and its statement to the author. */
function Statement({ decision: { policy, reasons, appealableUntil } }: { decision: ReportDecision }) {
  const { t, date } = useI18n();
  if (policy === null && reasons === null) return null;
  return (
    <dl className={classes.statement}>
      {policy !== null && (
        <div>
          <dt>{t('decision.policy')}</dt>
          <dd>
            <PolicyLink policy={policy} />
          </dd>
        </div>
      )}
      {reasons !== null && (
        <div>
          <dt>{t('decision.reasons')}</dt>
          <dd>
            <Words body={reasons} />
          </dd>
        </div>
      )}
      {appealableUntil !== null && (
        <div>
          <dt>{t('decision.appealableUntil')}</dt>
          <dd>{date(appealableUntil)}</dd>
        </div>
      )}
    </dl>
  );
}
