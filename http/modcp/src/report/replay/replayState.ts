import { resolutions, statuses, type Note, type ReportDecision, type ReportMeasure, type Resolution, type Status } from '../../api/types';

export interface ReplayState {
  /** Sequence of the event that the replay ends with, and its time. */
  sequence: number;
  at: string;
  status: Status;
  version: number;
  assignee: string | null;
  resolution: Resolution | null;
  explanation: string | null;
  /** Null if the report was undecided, or the decision had neither rule nor reasons. */
  decision: Pick<ReportDecision, 'policy' | 'reasons'> | null;
  /** That stood then. */
  measures: ReportMeasure[];
  notes: ReplayNote[];
}

/** A note as it stood; withheld where its text has changed since and only auditors may read it. */
export interface ReplayNote extends Pick<Note, 'id' | 'author' | 'body' | 'deletedAt'> {
  withheld: boolean;
}

/** Reads the answer of a replay, which is the report or wraps it. */
export function readState(answer: Record<string, unknown>): ReplayState {
  const inner = answer.report ?? answer.state;
  const report = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : answer;
  const assignee = report.assignee;
  const name =
    typeof assignee === 'object' && assignee !== null ? ((assignee as { name?: unknown }).name ?? (assignee as { id?: unknown }).id) : (assignee ?? report.assigneeId);
  return {
    sequence: typeof report.sequence === 'number' ? report.sequence : 0,
    at: typeof report.at === 'string' ? report.at : '',
    status: statuses.find((status) => status === report.status) ?? 'new',
    version: typeof report.version === 'number' ? report.version : 0,
    assignee: typeof name === 'string' && name !== '' ? name : null,
    resolution: resolutions.find((resolution) => resolution === report.resolution) ?? null,
    explanation: typeof report.explanation === 'string' && report.explanation !== '' ? report.explanation : null,
    decision: readDecision(report.decision),
    measures: Array.isArray(report.measures) ? (report.measures as ReportMeasure[]).filter(({ endedAt }) => endedAt === null) : [],
    notes: Array.isArray(report.notes) ? (report.notes as (Note & { withheld?: boolean })[]).map(readNote) : [],
  };
}

function readDecision(value: unknown): ReplayState['decision'] {
  if (typeof value !== 'object' || value === null) return null;
  const { policy = null, reasons = null } = value as Partial<ReportDecision>;
  return policy === null && reasons === null ? null : { policy, reasons };
}

function readNote({ id, author, body, deletedAt, withheld }: Note & { withheld?: boolean }): ReplayNote {
  return { id, author, body, deletedAt, withheld: withheld === true };
}
