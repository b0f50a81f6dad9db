import { Button } from '@mantine/core';
import { Link, useNavigate, useParams } from 'react-router';
import { useI18n } from '../../i18n/I18n';
import { readDraft, writeDraft } from '../../storage/drafts';
import { PageHead, Panel } from '../../ui/Panel';
import { Failure, Loading } from '../../ui/States';
import { useTitle } from '../../ui/useTitle';
import shared from '../shared/Admin.module.css';
import { Back } from '../shared/Back';
import { BacktestOutcome, useBacktest } from './BacktestOutcome';
import { BacktestState } from './BacktestState';
import { conditionDraft, dayOf, type ConditionDraft } from './conditionDraft';
import { blankRule, type RuleForm } from './ruleDraft';
import classes from './Rules.module.css';

/** One back-test: how far it is, and then what it found. */
export function BacktestPage() {
  const { id = '' } = useParams();
  const { t, date } = useI18n();
  const navigate = useNavigate();
  useTitle(t('backtest.title'));
  const backtest = useBacktest(id);
  if (backtest.isPending) return <Loading rows={8} />;
  if (backtest.data === undefined) return <Failure error={backtest.error} retry={() => void backtest.refetch()} />;
  const one = backtest.data;
  const change = () => {
    writeDraft(conditionDraft, { when: one.when, since: dayOf(one.since), until: dayOf(one.until) } satisfies ConditionDraft);
    void navigate('/admin/core/rules/backtests');
  };
  const make = () => {
    writeDraft('rule:new', { ...(readDraft<RuleForm>('rule:new') ?? blankRule), when: one.when });
    void navigate('/admin/core/rules/new');
  };
  return (
    <>
      <Back to="/admin/core/rules/backtests" text={t('backtest.all')} />
      <PageHead title={t('backtest.title')} hint={t('backtest.onlyReported')}>
        <Button variant="default" onClick={change}>
          {t('backtest.change')}
        </Button>
        {one.against === null && (
          <Button variant="default" onClick={make}>
            {t('backtest.make')}
          </Button>
        )}
      </PageHead>
      <div className={classes.stack}>
        <Panel id="condition" title={t('backtest.condition')}>
          <pre className={classes.condition} dir="ltr">
            {one.when}
          </pre>
          {one.against !== null && (
            <p className={shared.detail}>
              <Link to={`/admin/core/rules/edit/${one.against.key}`}>{t('backtest.against', one.against)}</Link>
            </p>
          )}
          {(one.since !== null || one.until !== null) && (
            <p className={shared.detail}>
              {one.since !== null && t('backtest.from', { time: date(one.since) })} {one.until !== null && t('backtest.before', { time: date(one.until) })}
            </p>
          )}
        </Panel>
        <Panel
          id="result"
          title={t('backtest.result')}
          aside={
            <span role="status">
              <BacktestState of={one} />
            </span>
          }
        >
          <BacktestOutcome of={one} />
        </Panel>
      </div>
    </>
  );
}
