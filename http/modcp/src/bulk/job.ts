import { ApiError } from '../api/http';
import { assignReport, claimReport, resolveReport, type Decision } from '../api/reports';
import type { Report } from '../api/types';

export type BulkKind = 'claim' | 'assign' | 'resolve';

export interface BulkItem {
  id: string;
  title: string | null;
  /** Words of the content, to tell equal titles apart. */
  excerpt?: string | null;
}

/** One report of a job, at the version that its moderator saw in the preview. */
export interface JobItem extends BulkItem {
  version: number;
}

export interface BulkOrder {
  kind: BulkKind;
  items: JobItem[];
  assigneeId?: string;
  decision?: Decision;
}

export interface Outcome {
  item: JobItem;
  report: Report | null;
  error: ApiError | null;
}

/** How far a job is; before it is sent it waits some seconds in which it can be undone. */
export type Phase =
  | { name: 'waiting'; order: BulkOrder; seconds: number }
  | { name: 'sending'; order: BulkOrder; done: number }
  | { name: 'finished'; order: BulkOrder; outcomes: Outcome[] };

/** Sends one command of a job. It never throws: a refusal is an outcome. */
export async function sendOne(order: BulkOrder, item: JobItem): Promise<Outcome> {
  try {
    return { item, report: await command(order, item), error: null };
  } catch (error) {
    const failure = error instanceof ApiError ? error : new ApiError(0, 'network', String(error));
    return { item, report: null, error: failure };
  }
}

function command(order: BulkOrder, item: JobItem): Promise<Report> {
  switch (order.kind) {
    case 'claim':
      return claimReport(item.id, item.version);
    case 'assign':
      return assignReport(item.id, item.version, order.assigneeId ?? '');
    case 'resolve':
      return resolveReport(item.id, item.version, order.decision ?? { resolution: 'no_violation', explanation: '', share: false });
  }
}
