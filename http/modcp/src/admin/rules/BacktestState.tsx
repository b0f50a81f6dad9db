import type { Backtest } from '../../api/backtests';
import { useI18n } from '../../i18n/I18n';
import { Tag, type Tone } from '../../ui/Tag';

const tones: Record<Backtest['state'], Tone> = { queued: 'blue', running: 'amber', done: 'green', failed: 'red', cancelled: 'neutral' };

export const isUnderway = ({ state }: Backtest) => state === 'queued' || state === 'running';

export function BacktestState({ of: { state } }: { of: Backtest }) {
  const { t } = useI18n();
  return <Tag tone={tones[state]}>{t(`backtest.state.${state}`)}</Tag>;
}
