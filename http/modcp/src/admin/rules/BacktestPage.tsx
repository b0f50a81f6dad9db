import { Button, Progress } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import { cancelBacktest, readBacktest, type Backtest } from '../../api/backtests';
import { keys } from '../../api/queryKeys';
import { useI18n } from '../../i18n/I18n';
import { writeDraft } from '../../storage/drafts';
import { PageHead, Panel } from '../../ui/Panel';
import { Failure, Loading } from '../../ui/States';
import { useToasts } from '../../ui/Toasts';
import { useErrorText } from '../../ui/useErrorText';
import { useTitle } from '../../ui/useTitle';
import shared from '../shared/Admin.module.css';
import { Back } from '../shared/Back';
import { FailureReason } from '../shared/FailureReason';
import { BacktestResult } from './BacktestResult';
import { BacktestState, isUnderway } from './BacktestState';
import { conditionDraft, dayOf, type ConditionDraft } from './conditionDraft';
import classes from './Rules.module.css';

/** One back-test: how far it is, and then what it found. */
export function BacktestPage() {
  const { id = '' } = useParams();
  const { t, date } = useI18n();
  const navigate = useNavigate();
  useTitle(t('backtest.title'));
  const backtest = useQuery({
    queryKey: keys.backtest(id),
    queryFn: ({ signal }) => readBacktest(id, signal),
    refetchInterval: ({ state }) => (state.data !== undefined && isUnderway(state.data) ? 1_000 : false),
  });
  if (backtest.isPending) return <Loading rows={8} />;
  if (backtest.data === undefined) return <Failure error={backtest.error} retry={() => void backtest.refetch()} />;
  const one = backtest.data;
  const change = () => {
    writeDraft(conditionDraft, { when: one.when, since: dayOf(one.since), until: dayOf(one.until) } satisfies ConditionDraft);
    void navigate('/admin/core/rules');
  };
  return (
    <>
      <Back to="/admin/core/rules" text={t('admin.rules')} />
      <PageHead title={t('backtest.title')} hint={t('backtest.onlyReported')}>
        <Button variant="default" onClick={change}>
          {t('backtest.change')}
        </Button>
      </PageHead>
      <div className={classes.stack}>
        <Panel id="condition" title={t('backtest.condition')}>
          <pre className={classes.condition} dir="ltr">
            {one.when}
          </pre>
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
          {isUnderway(one) && <Underway of={one} />}
          {one.error !== null && one.state !== 'done' && <FailureReason text={one.error} />}
          {one.state === 'cancelled' && <p className={shared.detail}>{t('backtest.cancelled')}</p>}
          {one.result !== null && <BacktestResult of={one.result} />}
        </Panel>
      </div>
    </>
  );
}

function Underway({ of: { id, state, done, total } }: { of: Backtest }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const toasts = useToasts();
  const errorText = useErrorText();
  const cancel = useMutation({
    mutationFn: () => cancelBacktest(id),
    onSuccess: (after) => client.setQueryData(keys.backtest(id), after),
    onError: (error) => toasts.show({ text: errorText(error), tone: 'error' }),
  });
  return (
    <div className={classes.underway}>
      <Progress value={total === 0 ? 0 : (100 * done) / total} aria-label={t('backtest.progress')} />
      <div className={shared.foot}>
        <span className={shared.muted}>{state === 'queued' ? t('backtest.waits') : total > 0 && t('backtest.read', { done, total })}</span>
        <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          {t('action.cancel')}
        </Button>
      </div>
    </div>
  );
}
