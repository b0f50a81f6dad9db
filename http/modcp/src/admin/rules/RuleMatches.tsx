import { useQuery } from '@tanstack/react-query';
import type { Outcome } from '../../api/backtests';
import { keys } from '../../api/queryKeys';
import { ruleMatches } from '../../api/rules';
import { useI18n } from '../../i18n/I18n';
import { DataTable } from '../../ui/DataTable';
import { Panel } from '../../ui/Panel';
import { Failure, Loading } from '../../ui/States';
import shared from '../shared/Admin.module.css';
import { outcomes } from './BacktestResult';

/** What a rule has matched in the shadow and live, and what people decided. */
export function RuleMatches({ of }: { of: string }) {
  const { t, number } = useI18n();
  const matches = useQuery({ queryKey: keys.ruleMatches(of), queryFn: ({ signal }) => ruleMatches(of, signal), refetchInterval: 5_000 });
  const total = (figures: Record<Outcome, number>) => outcomes.reduce((sum, outcome) => sum + figures[outcome], 0);
  const rows = (matches.data?.items ?? []).flatMap(({ version, live, shadow }) =>
    (['live', 'shadow'] as const).map((mode) => ({ version, mode, figures: mode === 'live' ? live : shadow })).filter(({ figures }) => total(figures) > 0),
  );
  const failed = (matches.data?.items ?? []).filter((one) => one.failed > 0);
  return (
    <Panel id="matches" title={t('auto.matches')}>
      <div className={shared.form}>
        {matches.isPending && <Loading rows={2} />}
        {matches.isError && matches.data === undefined && <Failure error={matches.error} retry={() => void matches.refetch()} />}
        {matches.isSuccess && rows.length === 0 && <p className={shared.detail}>{t('auto.noMatches')}</p>}
        {rows.length > 0 && (
          <DataTable
            label={t('auto.matches')}
            rows={rows}
            rowKey={({ version, mode }) => `${version} ${mode}`}
            columns={[
              { key: 'version', title: t('auto.version'), cell: ({ version, mode }) => `${t('auto.versionNumber', { version })}, ${t(`auto.mode.${mode}`)}` },
              { key: 'matched', title: t('backtest.matched'), end: true, cell: ({ figures }) => number(total(figures)) },
              ...outcomes.map((outcome) => ({ key: outcome, title: t(`backtest.outcome.${outcome}`), end: true, cell: ({ figures }: (typeof rows)[number]) => number(figures[outcome]) })),
            ]}
          />
        )}
        {failed.map((one) => (
          <p key={one.version} className={shared.detail}>
            {t('auto.failed', { version: one.version, count: one.failed })}
          </p>
        ))}
        <p className={shared.detail}>{t('auto.onlyReported')}</p>
      </div>
    </Panel>
  );
}
