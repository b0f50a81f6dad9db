import { describe, expect, it } from 'vitest';
import { faultsOf, nextStep, toSteps, type StepDraft } from './ladderDraft';

const step = (strikes: number | '', kind: StepDraft['kind'] = 'suspend', days: number | null = 7): StepDraft => ({ strikes, kind, days });

describe('a ladder that is written', () => {
  it.each<[string, StepDraft[], string[]]>([
    ['empty', [], []],
    ['ascending', [step(1, 'warn', null), step(3), step(4, 'suspend', null)], []],
    ['not ascending', [step(2), step(2)], ['1 strikes']],
    ['without a number', [step('')], ['0 strikes']],
    ['beyond the limits', [step(1001, 'restrict', 3651)], ['0 strikes', '0 days']],
    ['with days that do not count', [step(1, 'terminate', 0)], []],
  ])('%s', (_name, steps, faults) => expect([...faultsOf(steps)]).toEqual(faults));

  it('goes on above its last step', () => expect(faultsOf([step(4), nextStep([step(4)])])).toEqual(new Set()));

  it('is sent without days where there are none', () => expect(toSteps([step(1, 'terminate', 7)])).toEqual([{ strikes: 1, kind: 'terminate', days: null }]));
});
