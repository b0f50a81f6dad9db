import { humanise } from '../i18n/format';
import { useI18n } from '../i18n/I18n';
import type { MeasureKind, ReportDecision, Resolution } from '../api/types';
import { useOwnMeasureText } from '../measures/useMeasureText';
import { Words } from '../richtext/Words';
import { ResolutionTag } from '../ui/Tag';
import classes from './DecisionStatement.module.css';
import { PolicyLink } from './PolicyLink';

interface Props {
  resolution: Resolution | null;
  decision: Pick<ReportDecision, 'policy' | 'reasons' | 'actions' | 'appealableUntil' | 'erased'>;
  /** A reporter hears the outcome alone, unless something was shared. */
  toAuthor: boolean;
  /** False where a moderator reads it. */
  toMember?: boolean;
  /** What it imposes on its reader, or on the author who is named. */
  measures?: readonly { kind: MeasureKind; until: string | null; author: string | null }[];
}

/** A decision as the member that it concerns reads it: the outcome, the measures, the rule and the reasons. Never who reported, or what. */
export function DecisionStatement({ resolution, decision, toAuthor, toMember = true, measures = [] }: Props) {
  const { t, known, date } = useI18n();
  const imposed = useOwnMeasureText();
  const done = (action: string) => known(`statement.did.${action}`) ?? t('statement.did', { action: humanise(action) });
  return (
    <div className={classes.statement}>
      <p className={classes.line}>
        {resolution !== null && <ResolutionTag resolution={resolution} />} {toMember && t('statement.byPerson')}
      </p>
      {decision.actions.length + measures.length > 0 && (
        <ul className={classes.measures}>
          {decision.actions.map((action) => (
            <li key={action}>{done(action)}</li>
          ))}
          {measures.map(({ kind, until, author }) => (
            <li key={`${kind} ${author ?? ''}`}>
              {author !== null && (
                <>
                  <bdi>{author}</bdi>:{' '}
                </>
              )}
              {imposed(kind, until)}
            </li>
          ))}
        </ul>
      )}
      <dl className={classes.facts}>
        {decision.policy !== null && (
          <div>
            <dt>{t('decision.policy')}</dt>
            <dd>
              <PolicyLink policy={decision.policy} />
            </dd>
          </div>
        )}
        {(toAuthor || decision.reasons !== null) && (
          <div>
            <dt>{t('statement.reasons')}</dt>
            <dd>{decision.reasons === null ? <span className={classes.none}>{t(decision.erased === true ? 'state.erased' : 'statement.noReasons')}</span> : <Words body={decision.reasons} />}</dd>
          </div>
        )}
      </dl>
      {decision.appealableUntil !== null && <p className={classes.none}>{t('statement.appeal', { date: date(decision.appealableUntil) })}</p>}
    </div>
  );
}
