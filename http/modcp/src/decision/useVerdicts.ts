import type { Decision } from '../api/reports';
import type { Report } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { useCommands } from '../keyboard/CommandProvider';
import { bind } from '../keyboard/shortcuts';
import { useShortcuts } from '../keyboard/ShortcutProvider';
import { offers } from '../report/possibleMoves';
import { useMeasureVerdicts } from '../measures/useProposals';
import { usePolicies } from './usePolicies';
import { verdictsOf, type Verdict } from './verdictsOf';

export type Decide = (decision: Decision, action: string | null) => void;

/** The verdicts that a report offers now, what a key of theirs does, and their place in the palette. One that needs an explanation, or with which the ladder proposes a measure, opens the form. */
export function useVerdicts(report: Report | undefined, { decide, fillIn, ready }: { decide: Decide; fillIn: Decide; ready: boolean }) {
  const { t } = useI18n();
  const policies = usePolicies();
  const given = report === undefined || report.status === 'done' || !offers(report, 'resolve') ? [] : verdictsOf(report, policies ?? []);
  const measures = useMeasureVerdicts(report?.id ?? '', given.flatMap(({ policy }) => (policy === null ? [] : [policy])));
  const verdicts = given.map((verdict): Verdict => (verdict.policy !== null && measures.leadsToMeasure(verdict.policy.key) ? { ...verdict, proposes: true } : verdict));
  const give = ({ decision, action, asks, proposes }: Verdict) => (asks || proposes === true ? fillIn : decide)(decision, action);
  const fill = ({ decision, action }: Verdict) => fillIn(decision, action);
  useCommands(
    verdicts.map((verdict) => ({ id: `verdict-${verdict.digit}`, title: `${t('report.decision')}: ${verdict.policy?.title ?? t('resolution.no_violation')}`, hint: String(verdict.digit), run: () => give(verdict) })),
  );
  const run = (then: (verdict: Verdict) => void) => (digit: number) => {
    const verdict = verdicts.find((one) => one.digit === digit);
    if (verdict !== undefined) then(verdict);
  };
  useShortcuts(bind('verdict', { noViolation: run(give), rule: run(give), fillIn: run(fill) }), ready && policies !== undefined && measures.known);
  return { verdicts, give };
}
