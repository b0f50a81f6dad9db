import { ApiError, core, get, post, withQuery } from './http';
import type { Decision, Query } from './reports';
import { readReport, resolveBody, resolveReport } from './reports';
import type { Answer, Page, Report, ReportItem, Schemas, TargetRef } from './types';

/** A target with open reports. */
export type Case = Schemas['Case'];
/** What a priority adds up from. */
export type PriorityPart = Case['priority']['parts'][number];

type CaseConflict = NonNullable<Schemas['Error']['conflicts']>[number];

type CaseOutcome = Answer<'decideCase'>;

export const listCases = (query: Query, signal?: AbortSignal) => get<Page<Case>>(withQuery(`${core}/moderation/cases`, query), signal);

/** Claims the best case within the board's filters; undefined where nothing waits. */
export const nextCase = (query: Query) => post<Report | undefined>(withQuery(`${core}/moderation/next`, query), {});

export type CaseTarget = Pick<TargetRef, 'pluginId' | 'type' | 'id'>;

const targetBody = ({ pluginId, type, id }: CaseTarget) => ({ pluginId, type, id });

export const passReasons = ['language', 'unsure', 'conflict', 'other'] as const;
export type PassReason = (typeof passReasons)[number];

/** Gives a case back and leaves it out of one's own next for a day. */
export const passCase = (target: CaseTarget, reason: PassReason) => post<undefined>(`${core}/moderation/cases/pass`, { target: targetBody(target), reason });

/** Leaves a case out of everybody's next until a time, at most 30 days from now; null ends that. */
export const parkCase = (target: CaseTarget, until: string | null) => post<undefined>(`${core}/moderation/cases/park`, { target: targetBody(target), until });

export const decideCase = (
  target: CaseTarget,
  reports: readonly Pick<ReportItem, 'id' | 'version'>[],
  what: { action?: string; decision?: Decision },
) =>
  post<CaseOutcome>(`${core}/moderation/cases/decide`, {
    target: targetBody(target),
    reports: reports.map(({ id, version }) => ({ id, expectedVersion: version })),
    ...(what.action === undefined ? {} : { action: what.action }),
    ...(what.decision === undefined ? {} : { resolve: resolveBody(what.decision) }),
  });

interface Order {
  report: Pick<Report, 'id' | 'version' | 'status' | 'target'>;
  /** The reports of a case that are decided with it. */
  together?: readonly Pick<Report, 'id' | 'version'>[];
  decision: Decision;
  action: string | null;
  /** The account that decides. */
  by: string | null;
}

/** The report is undefined where the decision was accepted and could not be read after it. */
interface Sent {
  report: Report | undefined;
  outcome: { reports: readonly { id: string }[]; remaining: number } | null;
}

/** Decides a report, or all of a case, with an action on the content in the same step. One that was accepted before, by a request without an answer, is not refused. */
export async function sendDecision(order: Order): Promise<Sent> {
  const { report, together = [], decision, action } = order;
  try {
    if (together.length === 0 && (action === null || report.status === 'done')) {
      return { report: await resolveReport(report.id, report.version, decision, action), outcome: null };
    }
    const outcome = await decideCase(report.target, together.length === 0 ? [report] : together, { action: action ?? undefined, decision });
    return { report: await readReport(report.id).catch(() => undefined), outcome: together.length === 0 ? null : outcome };
  } catch (error) {
    const accepted = alreadyAccepted(order, error);
    if (accepted === null) throw error;
    return { report: accepted.find(({ id }) => id === report.id), outcome: together.length === 0 ? null : { reports: accepted, remaining: 0 } };
  }
}

/** The reports of an order that are decided as it says, by whoever gave it; null unless all are. */
function alreadyAccepted({ report, together = [], decision, by }: Order, error: unknown): Report[] | null {
  if (!(error instanceof ApiError) || error.status !== 409 || report.status === 'done') return null;
  const { current, conflicts } = error.body as { current?: Report; conflicts?: CaseConflict[] };
  const now = conflicts?.map((conflict) => conflict.current) ?? (current === undefined ? [] : [current]);
  const done = now.filter(({ status, resolution, resolver, held }) =>
    held == null ? status === 'done' && resolution === decision.resolution && resolver !== null && resolver.id === by : held.resolution === decision.resolution && held.by?.id === by);
  return (together.length === 0 ? [report] : together).every(({ id }) => done.some((one) => one.id === id)) ? done : null;
}
