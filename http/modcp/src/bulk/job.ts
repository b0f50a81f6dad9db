import { asApiError, type ApiError } from '../api/http';
import { decideCase, sendDecision } from '../api/cases';
import { assignReport, claimReport, readReport, type Decision } from '../api/reports';
import { runnable } from '../report/possibleMoves';
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
  report: Report;
}

export interface BulkOrder {
  kind: BulkKind;
  items: JobItem[];
  assigneeId?: string;
  decision?: Decision;
  /** What is done to the content of each, together with the decision. */
  action?: string | null;
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

/** The items that are sent in one step each: those on the same content together where something is done to it. */
export function batches({ items, action }: BulkOrder): JobItem[][] {
  if (action == null) return items.map((item) => [item]);
  const byTarget = new Map<string, JobItem[]>();
  for (const item of items) {
    const { pluginId, type, id } = item.report.target;
    const key = JSON.stringify([pluginId, type, id]);
    byTarget.set(key, [...(byTarget.get(key) ?? []), item]);
  }
  return [...byTarget.values()];
}

/** Sends one step of a job. It never throws: a refusal is an outcome. */
export async function sendBatch(order: BulkOrder, batch: readonly JobItem[]): Promise<Outcome[]> {
  try {
    const reports = await command(order, batch);
    return batch.map((item, index) => ({ item, report: reports[index] ?? null, error: null }));
  } catch (error) {
    return batch.map((item) => ({ item, report: null, error: asApiError(error) }));
  }
}

async function command(order: BulkOrder, batch: readonly JobItem[]): Promise<Report[]> {
  const item = batch[0]!;
  const action = order.action ?? null;
  switch (order.kind) {
    case 'claim':
      return [await claimReport(item.id, item.version)];
    case 'assign':
      return [await assignReport(item.id, item.version, order.assigneeId ?? '')];
    case 'resolve': {
      const acts = action !== null && runnable(item.report).some(({ name }) => name === action);
      const decision = order.decision!;
      if (!acts || batch.length === 1) return Promise.all(batch.map(async ({ report }) => (await sendDecision({ report, decision, action: acts ? action : null })).report));
      await decideCase(item.report.target, batch, { action, decision });
      return Promise.all(batch.map(({ id }) => readReport(id)));
    }
  }
}
