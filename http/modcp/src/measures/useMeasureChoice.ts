import type { Proposal } from '../api/measures';
import { informsAuthor } from '../api/reports';
import type { MeasureRequest } from '../api/types';
import { usePolicies } from '../decision/usePolicies';
import type { DecisionDraft } from '../decision/useContentAction';
import { usePermission } from '../session/usePermission';
import { faultOf, linesOf, maxMeasures, requestsOf, type ShownLine } from './measureDraft';
import { useProposals, type MeasuredReport } from './useProposals';

/** The measures that go with a decision which is being written. */
export interface MeasureChoice {
  /** Whether there is anything to choose from, as far as is known. */
  offered: boolean;
  /** How many decisions on content of the author are made alike. */
  decisionsOn: (authorId: string) => number;
  /** How many measures can be imposed. */
  most: number;
  /** Of each author whom the user may impose something on. */
  authors: readonly Proposal[];
  lines: readonly ShownLine[];
  /** Of the authors for whom no line is shown. */
  others: readonly Proposal[];
  asking: boolean;
  error: Error | null;
  again: () => void;
  /** False while the ladder has not answered about a rule that gives strikes, or a line cannot be imposed. */
  ready: boolean;
  /** What would be imposed now, with the decision on a report or all of it. */
  requests: (reportId?: string) => MeasureRequest[];
}

/** The choice for decisions on reports, each about authors of its own; without a report there is nothing to choose. */
export function useMeasureChoice(reports: readonly MeasuredReport[], draft: DecisionDraft | null): MeasureChoice {
  const imposes = usePermission('can_impose_measures');
  const offered = imposes && reports.length > 0 && draft !== null && informsAuthor(draft);
  const policy = draft?.policy?.key ?? '';
  const answers = useProposals(reports, policy, offered);
  const isPending = answers.some((answer) => answer.isPending);
  const error = answers.find((answer) => answer.error !== null)?.error ?? null;
  const itemsOf = (index: number) => (offered ? answers[index]?.data?.items : undefined) ?? [];
  const items = reports.flatMap((_, index) => itemsOf(index));
  const indexOf = (authorId: string) => reports.findIndex((_, index) => itemsOf(index).some(({ author }) => author.id === authorId));
  const authors = items.filter((item) => item.kinds.length > 0);
  // Without a rule nothing is proposed.
  const asking = offered && policy !== '' && (isPending || answers.some((answer) => answer.isPlaceholderData));
  const strikes = usePolicies()?.find(({ key }) => key === policy)?.strikes ?? 0;
  const current = asking ? [] : items;
  const lines = offered && draft !== null ? linesOf(draft, policy, policy === '' ? [] : current, Math.max(...answers.map((answer) => answer.dataUpdatedAt))) : [];
  const linesOn = (index: number) => lines.filter(({ authorId }) => indexOf(authorId) === index);
  const fits = reports.every((_, index) => linesOn(index).filter(({ ticked }) => ticked).length <= maxMeasures) && lines.every((line) => faultOf(line, lines, Date.now()) === null);
  return {
    offered: offered && (isPending || error !== null || authors.length > 0),
    decisionsOn: (authorId) => reports[indexOf(authorId)]?.decisions ?? 1,
    most: maxMeasures * reports.length,
    authors,
    lines,
    others: policy === '' ? [] : current.filter((item) => item.after > 0 && !lines.some(({ proposal }) => proposal === item)),
    asking,
    error: offered ? error : null,
    again: () => answers.forEach((answer) => void answer.refetch()),
    // Whoever is faster than the answer imposes nothing, and is kept waiting only where the rule gives strikes.
    ready: fits && !(asking && strikes > 0),
    requests: (reportId) => requestsOf(reportId === undefined ? lines : linesOn(reports.findIndex(({ id }) => id === reportId)), Date.now()),
  };
}
