import { describe, expect, it } from 'vitest';
import type { Policy } from '../api/policies';
import type { Decision } from '../api/reports';
import type { Report } from '../api/types';
import { asDocument } from '../richtext/document';
import { verdictsOf, withWritten } from './verdictsOf';

const policy = (key: string, day: number, template: Policy['template'] = null): Policy => ({
  key, version: 2, title: key.toUpperCase(), text: { type: 'doc' }, template, strikes: 0, strikeDays: 365, reportable: false, secondKey: false, statement: null, publishedAt: `2026-01-${String(day).padStart(2, '0')}T00:00:00Z`, retiredAt: null,
});

function report(hidden: boolean | null, actions: Partial<Record<'hide' | 'unhide', boolean>>, hiddenBy: string | null = null): Report {
  return {
    target: { current: hidden === null ? null : { hidden, url: '' } },
    actions: Object.entries(actions).map(([name, permitted]) => ({ name, permitted, available: hidden === (name === 'unhide') })),
    timeline: { edges: [] },
    hiddenBy,
  } as unknown as Report;
}

const both = { hide: true, unhide: true };
const told = (of: Report, policies: Policy[] = [policy('spam', 2)]) => verdictsOf(of, policies).map(({ digit, decision, action, asks }) => `${digit} ${decision.resolution} ${decision.policy?.key ?? '-'} ${action ?? '-'}${asks ? ' asks' : ''}`);

describe('verdicts', () => {
  it.each([
    ['public content', report(false, both), ['1 no_violation - -', '2 action_taken spam hide']],
    ['hidden content', report(true, both), ['1 no_violation - unhide', '2 action_taken spam -']],
    ['content that is gone', report(null, both), ['1 no_violation - -', '2 action_taken spam -']],
    ['content that nobody can hide', report(false, {}), ['1 no_violation - -', '2 action_taken spam -']],
    ['content that somebody else may hide', report(false, { hide: false, unhide: false }), ['1 no_violation - -', '2 action_taken spam - asks']],
    ['hidden content that somebody else may restore', report(true, { hide: false, unhide: false }), ['1 no_violation - - asks', '2 action_taken spam -']],
    ['content that a rule hid and somebody else may restore', report(true, { hide: false, unhide: false }, 'links'), ['1 no_violation - -', '2 action_taken spam -']],
  ])('on %s', (_name, of, expected) => expect(told(of)).toEqual(expected));

  it('are at most nine, in the order of publication', () => {
    const policies = Array.from({ length: 12 }, (_, index) => policy(`p${index}`, 20 - index));
    expect(verdictsOf(report(false, both), policies).map((one) => one.policy?.key)).toEqual([undefined, 'p11', 'p10', 'p9', 'p8', 'p7', 'p6', 'p5', 'p4']);
  });

  it('bring the template and the version of their rule', () => {
    const [, byRule] = verdictsOf(report(false, both), [policy('spam', 1, asDocument('It advertises.'))]);
    expect(byRule!.decision).toMatchObject({ policy: { key: 'spam', version: 2 }, reasons: { type: 'doc', content: [{ type: 'paragraph' }] } });
  });
});

describe('what was written before a verdict', () => {
  const policies = [policy('spam', 1, asDocument('It advertises.')), policy('rude', 2, asDocument('It is rude.'))];
  const verdict = verdictsOf(report(false, both), policies)[2]!.decision;
  const before = (change: Partial<Decision>): Decision => ({ resolution: 'duplicate', explanation: '', share: false, reasons: null, ...change });
  it.each<[string, Decision | null, Partial<Decision>]>([
    ['nothing', null, verdict],
    ['an explanation', before({ explanation: 'Seen before.', share: true }), { ...verdict, explanation: 'Seen before.', share: true }],
    ['the template of another rule', before({ reasons: asDocument('It advertises.') }), verdict],
    ['reasons of their own', before({ reasons: asDocument('It advertises shoes.') }), { ...verdict, reasons: asDocument('It advertises shoes.') }],
  ])('stays: %s', (_name, written, expected) => expect(withWritten(verdict, written, policies)).toEqual(expected));
});
