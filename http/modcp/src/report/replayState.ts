import { resolutions, statuses, type Resolution, type Status } from '../api/types';

export interface ReplayState {
  status: Status;
  version: number;
  assignee: string | null;
  resolution: Resolution | null;
  explanation: string | null;
}

/** Reads what a replay answers, whether it is the report itself or wraps it. */
export function readState(answer: Record<string, unknown>): ReplayState {
  const inner = answer.report ?? answer.state;
  const report = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : answer;
  const assignee = report.assignee;
  const name =
    typeof assignee === 'object' && assignee !== null ? ((assignee as { name?: unknown }).name ?? (assignee as { id?: unknown }).id) : (assignee ?? report.assigneeId);
  return {
    status: statuses.find((status) => status === report.status) ?? 'new',
    version: typeof report.version === 'number' ? report.version : 0,
    assignee: typeof name === 'string' && name !== '' ? name : null,
    resolution: resolutions.find((resolution) => resolution === report.resolution) ?? null,
    explanation: typeof report.explanation === 'string' && report.explanation !== '' ? report.explanation : null,
  };
}
