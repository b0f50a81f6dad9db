import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { startBacktest } from '../../api/backtests';
import { keys } from '../../api/queryKeys';
import { setRuleMode, type Rule, type RuleMode } from '../../api/rules';
import { useI18n } from '../../i18n/I18n';
import { Confirm } from '../../ui/Confirm';
import { Panel } from '../../ui/Panel';
import { Loading } from '../../ui/States';
import { Tag, type Tone } from '../../ui/Tag';
import { useToasts } from '../../ui/Toasts';
import { useErrorText } from '../../ui/useErrorText';
import { When } from '../../ui/When';
import shared from '../shared/Admin.module.css';
import { BacktestOutcome, useBacktest } from './BacktestOutcome';
import { useThenText } from './useThenText';

const tones: Record<RuleMode, Tone> = { draft: 'neutral', shadow: 'blue', live: 'green' };
const modes = Object.keys(tones) as RuleMode[];
const week = 7 * 24 * 3_600_000;

export function ModeTag({ of: { mode, retiredAt } }: { of: Rule }) {
  const { t } = useI18n();
  return retiredAt === null ? <Tag tone={tones[mode]}>{t(`auto.mode.${mode}`)}</Tag> : <Tag tone="amber">{t('auto.retiredTag')}</Tag>;
}

/** What a rule may do, and the ways to change it. */
export function RuleModePanel({ of: rule }: { of: Rule }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const toasts = useToasts();
  const errorText = useErrorText();
  const [wanted, setWanted] = useState<RuleMode | null>(null);
  const change = useMutation({
    mutationFn: (mode: RuleMode) => setRuleMode(rule.key, mode),
    onSuccess: ({ mode }) => toasts.show({ text: t('auto.isIn', { title: rule.title, mode: t(`auto.mode.${mode}`) }) }),
    onError: (error) => toasts.show({ text: errorText(error), tone: 'error' }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.rules }),
  });
  return (
    <Panel id="mode" title={t('auto.mode')} aside={<ModeTag of={rule} />}>
      <div className={shared.form}>
        <p className={shared.detail}>
          {t(`auto.modeHint.${rule.mode}`)} {t('auto.since')} <When iso={rule.modeAt} />
        </p>
        <div className={shared.buttons}>
          {modes
            .filter((mode) => mode !== rule.mode)
            .map((mode) => (
              <Button key={mode} variant={mode === (rule.mode === 'draft' ? 'shadow' : 'live') ? 'filled' : 'default'} loading={change.isPending} onClick={() => setWanted(mode)}>
                {t(`auto.switch.${mode}`)}
              </Button>
            ))}
        </div>
      </div>
      {wanted !== null && (
        <Confirm title={t(`auto.switch.${wanted}`)} action={t(`auto.switch.${wanted}`)} confirm={() => change.mutate(wanted)} close={() => setWanted(null)}>
          <p className={shared.detail}>{t(`auto.modeHint.${wanted}`)}</p>
          {wanted === 'live' && <Week of={rule} />}
        </Confirm>
      )}
    </Panel>
  );
}

/** What a rule would have done in the last seven days. */
function Week({ of: { when, then } }: { of: Rule }) {
  const { t } = useI18n();
  const errorText = useErrorText();
  const thenText = useThenText();
  const { mutate, data, error } = useMutation({ mutationFn: () => startBacktest({ when, since: new Date(Date.now() - week).toISOString(), until: null }) });
  useEffect(() => {
    mutate();
  }, [mutate]);
  const run = useBacktest(data?.id ?? '');
  const failure = error ?? run.error;
  return (
    <section aria-label={t('auto.week')} className={shared.form}>
      <h3 className={shared.label}>{t('auto.week')}</h3>
      <p className={shared.detail}>{t('auto.weekHint', { then: thenText(then) })}</p>
      {failure !== null ? <p className={shared.bad}>{errorText(failure)}</p> : run.data === undefined ? <Loading rows={3} /> : <BacktestOutcome of={run.data} brief />}
      <p className={shared.detail}>{t('backtest.onlyReported')}</p>
    </section>
  );
}
