import type { Proposal } from '../api/measures';
import { informsAuthor } from '../api/reports';
import type { MeasureRequest } from '../api/types';
import { usePolicies } from '../decision/usePolicies';
import type { DecisionDraft } from '../decision/useContentAction';
import { usePermission } from '../session/usePermission';
import { faultOf, linesOf, maxMeasures, requestsOf, type ShownLine } from './measureDraft';
import { useProposals } from './useProposals';

/** The measures that go with a decision which is being written. */
export interface MeasureChoice {
  /** Whether there is anything to choose from, as far as is known. */
  offered: boolean;
  /** How many decisions on content of the author are made alike. */
  decisions: number;
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
  /** What would be imposed now. */
  requests: () => MeasureRequest[];
}

/** The choice for a decision on a report, or on that many of one author; without a report there is nothing to choose. */
export function useMeasureChoice(reportId: string | null, draft: DecisionDraft | null, decisions = 1): MeasureChoice {
  const imposes = usePermission('can_impose_measures');
  const offered = imposes && reportId !== null && draft !== null && informsAuthor(draft);
  const policy = draft?.policy?.key ?? '';
  const { data, isPlaceholderData, isPending, error, dataUpdatedAt, refetch } = useProposals(reportId ?? '', policy, offered, decisions);
  const items = (offered ? data?.items : undefined) ?? [];
  const authors = items.filter((item) => item.kinds.length > 0);
  // Without a rule nothing is proposed.
  const asking = offered && policy !== '' && (isPending || isPlaceholderData);
  const strikes = usePolicies()?.find(({ key }) => key === policy)?.strikes ?? 0;
  const current = asking ? [] : items;
  const lines = offered && draft !== null ? linesOf(draft, policy, policy === '' ? [] : current, dataUpdatedAt) : [];
  const fits = lines.filter(({ ticked }) => ticked).length <= maxMeasures && lines.every((line) => faultOf(line, lines, Date.now()) === null);
  return {
    offered: offered && (isPending || error !== null || authors.length > 0),
    decisions,
    authors,
    lines,
    others: policy === '' ? [] : current.filter((item) => item.after > 0 && !lines.some(({ proposal }) => proposal === item)),
    asking,
    error: offered ? error : null,
    again: () => void refetch(),
    // Whoever is faster than the answer imposes nothing, and is kept waiting only where the rule gives strikes.
    ready: fits && !(asking && strikes > 0),
    requests: () => requestsOf(lines, Date.now()),
  };
}
