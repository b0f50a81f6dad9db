import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import { readAppeal, type Appeal } from '../api/appeals';
import { asApiError } from '../api/http';
import { keys } from '../api/queryKeys';
import { DecisionStatement } from '../decision/DecisionStatement';
import { useI18n } from '../i18n/I18n';
import { bind } from '../keyboard/shortcuts';
import { useShortcuts } from '../keyboard/ShortcutProvider';
import { usePollInterval } from '../live/LiveProvider';
import { useRefresh } from '../live/useRefresh';
import { ReportMeasures } from '../measures/ReportMeasures';
import { ContentPanel } from '../report/ContentPanel';
import { EvidencePanel } from '../report/evidence/EvidencePanel';
import { Icon } from '../ui/Icon';
import { PageHead, Panel } from '../ui/Panel';
import { PersonName } from '../ui/PersonName';
import { Empty, Failure, Loading } from '../ui/States';
import { useTitle } from '../ui/useTitle';
import { When } from '../ui/When';
import { appealedDecision } from './appealedDecision';
import { AppealDecisionForm, type AppealOutcome } from './AppealDecisionForm';
import classes from './Appeals.module.css';
import { AppealTag } from './AppealTag';

const pollEvery = 20_000;

/** One appeal: the evidence, the decision and the appeal side by side, and the form that decides it. */
export function AppealPage() {
  const { id = '' } = useParams();
  const { t } = useI18n();
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const poll = usePollInterval(pollEvery);
  const appeal = useQuery({ queryKey: keys.appeal(id), queryFn: ({ signal }) => readAppeal(id, signal), refetchInterval: poll });
  const title = appeal.data?.report.snapshot?.title ?? '';
  useTitle(title === '' ? t('appeals.one') : title);
  const [chosen, setChosen] = useState<AppealOutcome | null>(null);

  const reportId = appeal.data?.reportId;
  useRefresh(keys.appeal(id), 400, (event) => event.kind === 'change' && event.reportId === reportId && !event.type.startsWith('note_'));

  const queue = { pathname: '/modcp/appeals', search: params.toString() };
  const open = appeal.data?.status === 'open';
  useShortcuts(
    bind('appeal', {
      uphold: () => open && setChosen('uphold'),
      overturn: () => open && setChosen('overturn'),
      queue: () => void navigate(queue),
    }),
  );

  if (appeal.isPending) return <Loading rows={9} height={26} />;
  if (appeal.data === undefined) {
    return asApiError(appeal.error).status === 404 ? (
      <Empty page icon="search" title={t('appeals.notFound')} hint={t('report.notFoundHint')}>
        <Link to={queue}>{t('appeals.title')}</Link>
      </Empty>
    ) : (
      <Failure error={appeal.error} retry={() => void appeal.refetch()} />
    );
  }
  const { report } = appeal.data;
  return (
    <div className="page">
      <Link to={queue} className={classes.back}>
        <Icon name="chevronLeft" size={15} /> {t('appeals.title')}
      </Link>
      <PageHead
        title={
          <>
            <bdi>{title === '' ? t('board.untitled') : title}</bdi> <AppealTag status={appeal.data.status} />
          </>
        }
      >
        <Link to={`/modcp/reports/${report.id}`} className={classes.toReport}>
          {t('appeals.toReport')}
        </Link>
      </PageHead>
      <div className={classes.columns}>
        <div className={classes.column}>
          <ContentPanel report={report} />
          <EvidencePanel report={report} />
        </div>
        <div className={classes.column}>
          <Decision appeal={appeal.data} />
        </div>
        <div className={classes.column}>
          <Words appeal={appeal.data} />
          {open && <AppealDecisionForm appeal={appeal.data} chosen={chosen} choose={setChosen} />}
        </div>
      </div>
    </div>
  );
}

/** The decision that the appeal is against. */
function Decision({ appeal }: { appeal: Appeal }) {
  const { t } = useI18n();
  const decision = appealedDecision(appeal);
  return (
    <Panel id="appealed-decision" title={t('report.decision')}>
      {decision === null ? (
        <p className="small">{t('appeals.noDecision')}</p>
      ) : (
        <>
          <p className={classes.decider}>
            <PersonName person={decision.by} plain />{' '}
            <span className="small">
              <When iso={decision.decidedAt} />
            </span>
          </p>
          <DecisionStatement toAuthor toMember={false} resolution={decision.resolution} decision={decision} />
          <ReportMeasures report={appeal.report} />
          {decision.explanation !== '' && (
            <>
              <h3 className={classes.label}>{t('report.explanation')}</h3>
              <p className={classes.words} dir="auto">
                {decision.explanation}
              </p>
            </>
          )}
        </>
      )}
    </Panel>
  );
}

function Words({ appeal }: { appeal: Appeal }) {
  const { t } = useI18n();
  return (
    <Panel id="appeal" title={t('appeals.one')}>
      <p className={classes.decider}>
        <PersonName person={appeal.appellant} /> <span className="small">{t(`appeal.by.${appeal.by}`)}</span>{' '}
        <span className="small">
          <When iso={appeal.createdAt} />
        </span>
      </p>
      {appeal.text === null ? (
        <p className="small">{t('state.erased')}</p>
      ) : (
        <blockquote className={classes.quote} dir="auto">
          <p className={classes.words}>{appeal.text}</p>
        </blockquote>
      )}
      {appeal.status !== 'open' && (
        <>
          <h3 className={classes.label}>{t('appeal.reply')}</h3>
          <p className={classes.decider}>
            <AppealTag status={appeal.status} /> <PersonName person={appeal.decidedBy} plain />{' '}
            {appeal.decidedAt !== null && (
              <span className="small">
                <When iso={appeal.decidedAt} />
              </span>
            )}
          </p>
          {appeal.superseded && <p className="small">{t('appeals.superseded')}</p>}
          {appeal.reply !== null && (
            <p className={classes.words} dir="auto">
              {appeal.reply}
            </p>
          )}
        </>
      )}
    </Panel>
  );
}
