import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { readStanding, type OwnMeasure, type Standing } from '../api/measures';
import type { MemberDecision } from '../api/memberDecisions';
import { keys } from '../api/queryKeys';
import { AppealTag } from '../appeals/AppealTag';
import { PolicyLink } from '../decision/PolicyLink';
import { useI18n } from '../i18n/I18n';
import { MeasureTag } from '../measures/MeasureTag';
import { useOwnMeasureText } from '../measures/useMeasureText';
import { useUser } from '../session/useSession';
import { Callout } from '../ui/Callout';
import { Panel } from '../ui/Panel';
import { When } from '../ui/When';
import classes from './Forum.module.css';

/** The member's strikes, and the measures that stand, each with its appeal. */
export function OwnStanding({ strikes, measures, decisions }: Pick<Standing, 'strikes' | 'measures'> & { decisions: readonly MemberDecision[] }) {
  const { t } = useI18n();
  return (
    <div className={classes.standing}>
      <Panel id="standing" title={t('standing.title')}>
        <p className={classes.meta}>{t('standing.strikes', { strikes })}</p>
        {measures.length === 0 ? (
          <p className={classes.meta}>{t('standing.none')}</p>
        ) : (
          <ul className={classes.measures}>
            {measures.map((measure) => (
              <Measure key={measure.id} measure={measure} appeal={decisions.find(({ id }) => id === measure.reportId)?.appeal ?? null} />
            ))}
          </ul>
        )}
      </Panel>
    </div>
  );
}

function Measure({ measure, appeal }: { measure: OwnMeasure; appeal: MemberDecision['appeal'] }) {
  const { t } = useI18n();
  const text = useOwnMeasureText();
  return (
    <li>
      <MeasureTag kind={measure.kind} />
      <span className={classes.content}>
        {text(measure.kind, measure.until)}{' '}
        <span className="small">
          <When iso={measure.imposedAt} />
          {measure.policy !== null && (
            <>
              {' · '}
              <PolicyLink policy={measure.policy} />
            </>
          )}
        </span>
      </span>
      {appeal !== null && (
        <span className="small">
          {t('decisions.appeal')} <AppealTag status={appeal.status} />
        </span>
      )}
      <Link to={`/decisions/${measure.reportId}`}>{t(appeal === null ? 'standing.appeal' : 'decisions.read')}</Link>
    </li>
  );
}

/** That something bars the signed-in member from the site, with the way to what it is for. */
export function BarredNotice() {
  const { t } = useI18n();
  const text = useOwnMeasureText();
  const user = useUser();
  const standing = useQuery({ queryKey: [...keys.standing, 'barred'], queryFn: ({ signal }) => readStanding({ first: 1 }, signal), enabled: user !== null, retry: false, refetchInterval: 20_000 });
  const bars = standing.data?.measures.filter(({ kind }) => kind !== 'warn') ?? [];
  if (bars.length === 0) return null;
  return (
    <div className={`${classes.notices} ${classes.barred}`}>
      <Callout tone="amber">
        {bars.map((measure) => (
          <p key={measure.id}>{text(measure.kind, measure.until)}</p>
        ))}
        <Link to="/decisions">{t('standing.read')}</Link>
      </Callout>
    </div>
  );
}
