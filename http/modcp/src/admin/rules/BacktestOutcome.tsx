import { Button, Progress } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { cancelBacktest, readBacktest, type Backtest } from '../../api/backtests';
import { keys } from '../../api/queryKeys';
import { useI18n } from '../../i18n/I18n';
import { useToasts } from '../../ui/Toasts';
import { useErrorText } from '../../ui/useErrorText';
import shared from '../shared/Admin.module.css';
import { FailureReason } from '../shared/FailureReason';
import { BacktestResult } from './BacktestResult';
import { isUnderway } from './BacktestState';
import classes from './Rules.module.css';

/** A back-test, read again until it has ended; '' is none. */
export const useBacktest = (id: string) =>
  useQuery({
    queryKey: keys.backtest(id),
    queryFn: ({ signal }) => readBacktest(id, signal),
    enabled: id !== '',
    refetchInterval: ({ state }) => (state.data !== undefined && isUnderway(state.data) ? 1_000 : false),
  });

/** How far a back-test is, and then what it found. */
export function BacktestOutcome({ of: one, brief }: { of: Backtest; brief?: boolean }) {
  const { t } = useI18n();
  return (
    <>
      {isUnderway(one) && <Underway of={one} />}
      {one.error !== null && one.state !== 'done' && <FailureReason text={one.error} />}
      {one.state === 'cancelled' && <p className={shared.detail}>{t('backtest.cancelled')}</p>}
      {one.result !== null && <BacktestResult of={one.result} brief={brief} />}
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
