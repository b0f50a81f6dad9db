import type { LadderStep } from '../../api/measures';
import { timed } from '../../measures/measureDraft';

/** A step while it is written. */
export type StepDraft = Omit<LadderStep, 'strikes'> & { strikes: number | '' };

export const maxSteps = 10;
export const maxStrikes = 1000;
export const maxDays = 3650;

const within = (value: number | '', max: number) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= max;

/** Returns what keeps steps from being saved, each as its place and field. Steps ascend. */
export function faultsOf(steps: readonly StepDraft[]): Set<`${number} ${'strikes' | 'days'}`> {
  const faults = new Set<`${number} ${'strikes' | 'days'}`>();
  steps.forEach(({ strikes, kind, days }, index) => {
    const before = steps[index - 1]?.strikes ?? 0;
    if (!within(strikes, maxStrikes) || Number(strikes) <= Number(before)) faults.add(`${index} strikes`);
    if (timed(kind) && days !== null && !within(days, maxDays)) faults.add(`${index} days`);
  });
  return faults;
}

/** A step to go on with after the last. */
export function nextStep(steps: readonly StepDraft[]): StepDraft {
  const last = steps.at(-1);
  if (last === undefined) return { strikes: 1, kind: 'warn', days: null };
  return { strikes: Number(last.strikes) + 1, kind: 'suspend', days: 7 };
}

export const toSteps = (steps: readonly StepDraft[]): LadderStep[] => steps.map(({ strikes, kind, days }) => ({ strikes: Number(strikes), kind, days: timed(kind) ? days : null }));
