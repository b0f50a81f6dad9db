import type { Policy } from '../api/policies';
import type { Decision } from '../api/reports';
import type { Report } from '../api/types';
import { asDocument, words } from '../richtext/document';
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
  /** True where the ladder proposes a measure with it, which the form shows first. */
  proposes?: boolean;
}

const digits = 9;

/** The verdicts that there are, whatever the content is like: no violation, then the rules in the order in which their versions were published, so that one that is added moves none. */
export function plainVerdicts(policies: readonly Policy[]): Verdict[] {
  const published = policies.toSorted((a, b) => a.publishedAt.localeCompare(b.publishedAt)).slice(0, digits - 1);
  const decisions = [{ policy: null, decision: { resolution: 'no_violation', explanation: '', share: false } as Decision }, ...published.map((policy) => ({ policy, decision: byRule(policy) }))];
  return decisions.map((one, index) => ({ ...one, digit: index + 1, action: null, asks: false }));
}

/** The verdicts on a report, with what each does to its content. */
export function verdictsOf(report: Report, policies: readonly Policy[]): Verdict[] {
  return plainVerdicts(policies).map((verdict) => {
    const name = verdict.policy === null ? 'unhide' : 'hide';
    const action = runnable(report).some((one) => one.name === name) ? name : null;
    return { ...verdict, action, asks: contradiction(report, verdict.decision.resolution, action) !== null };
  });
}

function byRule(policy: Policy): Decision {
  const { key, version, title } = policy;
  return { resolution: 'action_taken', explanation: '', share: false, policy: { key, version, title }, reasons: templateOf(policy) };
}

/** What reasons to the author start from. */
export function templateOf({ template }: Pick<Policy, 'template'>) {
  return typeof template === 'string' ? asDocument(template) : template;
}

/** Reports whether the reasons are empty or just a template, so that another template may replace them. */
export function untouched({ reasons }: Decision, policies: readonly Policy[]): boolean {
  const written = words(reasons);
  return written === '' || policies.some((policy) => policy.template !== null && words(templateOf(policy)) === written);
}

/** A decision for a draft in which something was written before: an explanation stays with whom it is for, and so do reasons. */
export function withWritten(decision: Decision, before: Decision | null, policies: readonly Policy[]): Decision {
  if (before === null) return decision;
  return {
    ...decision,
    ...(decision.explanation === '' ? { explanation: before.explanation, share: before.share } : {}),
    ...(untouched(before, policies) ? {} : { reasons: before.reasons }),
  };
}
