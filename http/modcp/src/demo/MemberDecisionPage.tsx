import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { asApiError } from '../api/http';
import { keys } from '../api/queryKeys';
import { readStanding } from '../api/measures';
import { readDecision, type MemberDecision } from '../api/memberDecisions';
import { DecisionStatement } from '../decision/DecisionStatement';
import { useI18n } from '../i18n/I18n';
import { SnapshotFieldViewer } from '../report/evidence/SnapshotFieldViewer';
import { OutLink } from '../richtext/RichText';
import { Icon } from '../ui/Icon';
import { Panel } from '../ui/Panel';
import { safeTarget } from '../ui/safeUrl';
import { Empty, Failure, Loading } from '../ui/States';
import { useTitle } from '../ui/useTitle';
import { When } from '../ui/When';
import { MemberAppealForm } from './MemberAppealForm';
import classes from './Forum.module.css';

/** One decision for the member whom it concerns, with the way to appeal. */
export function MemberDecisionPage() {
  const { id = '' } = useParams();
  const { t } = useI18n();
  const decision = useQuery({ queryKey: keys.decision(id), queryFn: ({ signal }) => readDecision(id, signal), retry: false });
  useTitle(decision.data === undefined || decision.data.title === '' ? t('decisions.title') : decision.data.title);
  if (decision.isPending) return <Loading rows={6} />;
  if (decision.data === undefined) {
    return asApiError(decision.error).status === 404 ? (
      <Empty page icon="search" title={t('decisions.notFound')} hint={t('decisions.notFoundHint')}>
        <Link to="/decisions">{t('decisions.title')}</Link>
      </Empty>
    ) : (
      <Failure error={decision.error} retry={() => void decision.refetch()} />
    );
  }
  return <Details details={decision.data} />;
}

function Details({ details }: { details: MemberDecision }) {
  const { t, label } = useI18n();
  const { snapshot, target, decision, role } = details;
  const standing = useQuery({ queryKey: [...keys.standing, 'barred'], queryFn: ({ signal }) => readStanding({ first: 1 }, signal), enabled: role === 'author', retry: false }).data;
  const measures = standing?.measures.filter(({ reportId }) => reportId === details.id).map(({ kind, until }) => ({ kind, until, author: null })) ?? [];
  // What a decision hid is not there for its author.
  const href = decision?.actions.includes('hide') === true ? null : safeTarget(target.url);
  return (
    <>
      <Link to="/decisions" className={classes.back}>
        <Icon name="chevronLeft" size={15} /> {t('decisions.title')}
      </Link>
      <section className={classes.intro}>
        <h1 dir="auto">{details.title === '' ? t('board.untitled') : details.title}</h1>
        <p>
          {label(target.label)} · {t(`decisions.role.${role}`)}
          {decision !== null && (
            <>
              {' · '}
              <When iso={decision.decidedAt} />
            </>
          )}
          {href !== null && (
            <>
              {' · '}
              <OutLink href={href}>{t('decisions.openContent')}</OutLink>
            </>
          )}
        </p>
      </section>
      <div className={classes.stack}>
        <Panel id="statement" title={t(role === 'author' ? 'decisions.aboutContent' : 'decisions.aboutReport')}>
          {decision === null ? (
            <p className={classes.meta}>{t('decisions.withdrawnHint')}</p>
          ) : (
            <DecisionStatement toAuthor={role === 'author' && decision.resolution === 'action_taken'} resolution={decision.resolution} decision={{ ...decision, appealableUntil: null }} measures={measures} />
          )}
          {decision !== null && decision.explanation !== null && decision.explanation !== '' && (
            <>
              <h3 className={classes.heading}>{t('decisions.explanation')}</h3>
              <p className={classes.text} dir="auto">
                {decision.explanation}
              </p>
            </>
          )}
        </Panel>
        <MemberAppealForm details={details} />
        {snapshot != null && (
          <Panel id="content" title={t('decisions.snapshot')}>
            <div className={classes.fields}>
              {snapshot.fields.map((field) => (
                <SnapshotFieldViewer key={field.name} type={snapshot.target.type} field={field} />
              ))}
            </div>
          </Panel>
        )}
      </div>
    </>
  );
}
