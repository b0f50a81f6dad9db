import type { Policy } from '../api/policies';
import type { Decision } from '../api/reports';
import type { Report } from '../api/types';
import { asDocument } from '../richtext/document';
import { runnable } from '../report/possibleMoves';
import { contradiction } from './contradiction';

/** A whole decision behind one key: the outcome, the rule with its template, and what is done to the content. */
export interface Verdict {
  digit: number;
  /** The rule; null where there is no violation. */
  policy: Policy | null;
  decision: Decision;
  action: string | null;
  /** True where the decision would contradict what the content is like afterwards, so that the form asks why. */
  asks: boolean;
}

const digits = 9;

/** The verdicts on a report: no violation, then the rules in the order in which their versions were published, so that one that is added moves none. */
export function verdictsOf(report: Report, policies: readonly Policy[]): Verdict[] {
  const can = (name: string) => runnable(report).some((action) => action.name === name);
  const verdict = (digit: number, policy: Policy | null, decision: Decision, action: string): Verdict => {
    const does = can(action) ? action : null;
    return { digit, policy, decision, action: does, asks: contradiction(report, decision.resolution, does) !== null };
  };
  const published = policies.toSorted((a, b) => a.publishedAt.localeCompare(b.publishedAt)).slice(0, digits - 1);
  return [
    verdict(1, null, { resolution: 'no_violation', explanation: '', share: false }, 'unhide'),
    ...published.map((policy, index) => verdict(index + 2, policy, byRule(policy), 'hide')),
  ];
}

function byRule(policy: Policy): Decision {
  const { key, version, title } = policy;
  return { resolution: 'action_taken', explanation: '', share: false, policy: { key, version, title }, reasons: templateOf(policy) };
}

/** What reasons to the author start from. */
export function templateOf({ template }: Pick<Policy, 'template'>) {
  return typeof template === 'string' ? asDocument(template) : template;
}
