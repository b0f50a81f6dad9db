import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { listBacktests, type Backtest } from '../../api/backtests';
import { keys } from '../../api/queryKeys';
import { useI18n } from '../../i18n/I18n';
import { DataTable } from '../../ui/DataTable';
import { PageHead, Panel } from '../../ui/Panel';
import { Failure, Loading } from '../../ui/States';
import { useTitle } from '../../ui/useTitle';
import { When } from '../../ui/When';
import shared from '../shared/Admin.module.css';
import { Back } from '../shared/Back';
import { BacktestState, isUnderway } from './BacktestState';
import { ConditionForm } from './ConditionForm';
import classes from './Rules.module.css';

/** A condition to back-test, and the back-tests that there were. */
export function Backtests() {
  const { t } = useI18n();
  useTitle(t('backtest.all'));
  const list = useQuery({
    queryKey: keys.backtests,
    queryFn: ({ signal }) => listBacktests(signal),
    refetchInterval: ({ state }) => (state.data?.items.some(isUnderway) === true ? 2_000 : 10_000),
  });
  return (
    <>
      <Back to="/admin/core/rules" text={t('admin.rules')} />
      <PageHead title={t('backtest.all')} hint={t('backtest.hint')} />
      {list.isPending && <Loading rows={8} />}
      {list.isError && list.data === undefined && <Failure error={list.error} retry={() => void list.refetch()} />}
      {list.data !== undefined && (
        <div className={classes.stack}>
          <Panel id="condition" title={t('backtest.condition')}>
            <ConditionForm />
          </Panel>
          {list.data.items.length > 0 && <Newest items={list.data.items} />}
        </div>
      )}
    </>
  );
}

function Newest({ items }: { items: Backtest[] }) {
  const { t } = useI18n();
  return (
    <section aria-labelledby="newest">
      <h2 id="newest" className={shared.heading}>
        {t('backtest.newest')}
      </h2>
      <DataTable
        label={t('backtest.newest')}
        rows={items}
        rowKey={({ id }) => id}
        columns={[
          {
            key: 'when',
            title: t('backtest.condition'),
            cell: ({ id, when }) => (
              <Link to={`/admin/core/rules/backtests/${id}`} className={classes.when} dir="ltr">
                {when}
              </Link>
            ),
          },
          { key: 'state', title: t('backtest.state'), cell: (one) => <BacktestState of={one} /> },
          {
            key: 'matched',
            title: t('backtest.matched'),
            end: true,
            cell: ({ result }) => (result === null ? null : t('admin.progress', { done: result.matched, total: result.evaluated })),
          },
          { key: 'asked', title: t('backtest.asked'), end: true, cell: ({ requestedAt }) => <When iso={requestedAt} /> },
        ]}
      />
    </section>
  );
}
