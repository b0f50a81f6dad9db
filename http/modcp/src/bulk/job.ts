import { ApiError, asApiError } from '../api/http';
import { assignReport, claimReport, readReport, type Decision } from '../api/reports';
import { decideSimilar, maxSimilar } from '../api/similar';
import { runnable } from '../report/possibleMoves';
import { sendDecision } from '../api/cases';
import type { MeasureRequest, Report } from '../api/types';

export type BulkKind = 'claim' | 'assign' | 'resolve';

export interface BulkItem {
  id: string;
  title: string | null;
  /** Words of the content, to tell equal titles apart. */
  excerpt?: string | null;
  /** How much the content is like that of the report that it is compared with, from 0 to 1. */
  similarity?: number;
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
  /** What is imposed on their authors, with which of them. These are decided last, when the others give their strikes. */
  measured?: readonly { id: string; measures: MeasureRequest[] }[];
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

const acts = ({ action }: BulkOrder, { report }: JobItem) => action != null && runnable(report).some(({ name }) => name === action);

/** The items that are sent in one step each: decisions together, apart from those whose content the action does not fit. */
export function batches(order: BulkOrder): JobItem[][] {
  if (order.kind !== 'resolve') return order.items.map((item) => [item]);
  const last = lastOf(order);
  return [true, false].flatMap((acting) => {
    const some = order.items.filter((item) => !last.includes(item) && acts(order, item) === acting);
    return Array.from({ length: Math.ceil(some.length / maxSimilar) }, (_, index) => some.slice(index * maxSimilar, (index + 1) * maxSimilar));
  });
}

/** The items that are sent after the others, because they impose measures. */
const lastOf = ({ items, measured = [] }: BulkOrder): JobItem[] => items.filter((item) => measured.some(({ id }) => id === item.id));

/** Sends what comes after all steps: one by one the decisions that impose measures. */
export async function sendLast(order: BulkOrder, by: string | null): Promise<Outcome[]> {
  const last = lastOf(order);
  const outcomes: Outcome[] = [];
  for (const [index, item] of last.entries()) outcomes.push(await sendMeasured(order, item, last.slice(index + 1), by));
  return outcomes;
}

async function sendMeasured(order: BulkOrder, item: JobItem, later: readonly JobItem[], by: string | null): Promise<Outcome> {
  try {
    const decision = { ...order.decision!, measures: order.measured?.find(({ id }) => id === item.id)?.measures };
    // The action runs once on each content.
    const done = order.items.some((other) => other !== item && !later.includes(other) && acts(order, other) && other.report.target.type === item.report.target.type && other.report.target.id === item.report.target.id);
    const action = acts(order, item) && !done ? (order.action ?? null) : null;
    const { report } = await sendDecision({ report: { ...item.report, version: item.version }, decision, action, by });
    return { item, report: report ?? null, error: null };
  } catch (error) {
    return { item, report: null, error: asApiError(error) };
  }
}

/** Sends one step of a job. It never throws: a refusal is an outcome. */
export async function sendBatch(order: BulkOrder, batch: readonly JobItem[]): Promise<Outcome[]> {
  const item = batch[0]!;
  try {
    switch (order.kind) {
      case 'claim':
        return [{ item, report: await claimReport(item.id, item.version), error: null }];
      case 'assign':
        return [{ item, report: await assignReport(item.id, item.version, order.assigneeId ?? ''), error: null }];
      case 'resolve':
        return await decide(order, batch);
    }
  } catch (error) {
    return batch.map((each) => ({ item: each, report: null, error: asApiError(error) }));
  }
}

async function decide(order: BulkOrder, batch: readonly JobItem[]): Promise<Outcome[]> {
  const { done, held, conflicts } = await decideSimilar(batch, order.decision!, acts(order, batch[0]!) ? order.action! : null);
  return Promise.all(
    batch.map(async (item): Promise<Outcome> => {
      if (done.includes(item.id) || held?.some(({ reportId }) => reportId === item.id)) return { item, report: await readReport(item.id).catch(() => null), error: null };
      const conflict = conflicts.find(({ id }) => id === item.id);
      if (conflict === undefined) return { item, report: null, error: new ApiError(503, 'unavailable', '') };
      return { item, report: conflict.current, error: new ApiError(409, 'conflict', '') };
    }),
  );
}
