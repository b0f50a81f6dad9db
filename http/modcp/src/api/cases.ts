import { core, get, post, withQuery } from './http';
import type { Decision, Query } from './reports';
import { readReport, resolveBody, resolveReport, runAction } from './reports';
import type { Page, Person, Reason, Report, ReportItem, TargetRef } from './types';

/** What a priority adds up from. Unknown names are shown as they are: the server may learn new ones. */
export interface PriorityPart {
  name: 'reason' | 'reporters' | 'records' | 'target' | 'author' | 'waiting' | (string & {});
  points: number;
}

/** A target with open reports. */
export interface Case {
  target: TargetRef;
  title: string;
  excerpt: string;
  openReports: number;
  reporters: number;
  reasons: Partial<Record<Reason, number>>;
  firstAt: string;
  lastAt: string;
  dueAt: string | null;
  overdue: boolean;
  assignees: Person[];
  priority: { score: number; parts: PriorityPart[] };
}

export interface CaseConflict {
  id: string;
  current: Report;
}

export interface CaseOutcome {
  reports: ReportItem[];
  /** Open reports of the target that the decision was not about. */
  remaining: number;
}

export const listCases = (query: Query, signal?: AbortSignal) => get<Page<Case>>(withQuery(`${core}/moderation/cases`, query), signal);

/** Claims the best case within the board's filters; undefined where nothing waits. */
export const nextCase = (query: Query) => post<Report | undefined>(withQuery(`${core}/moderation/next`, query), {});

export const decideCase = (
  target: Pick<TargetRef, 'pluginId' | 'type' | 'id'>,
  reports: readonly Pick<ReportItem, 'id' | 'version'>[],
  what: { action?: string; decision?: Decision },
) =>
  post<CaseOutcome>(`${core}/moderation/cases/decide`, {
    target: { pluginId: target.pluginId, type: target.type, id: target.id },
    reports: reports.map(({ id, version }) => ({ id, expectedVersion: version })),
    ...(what.action === undefined ? {} : { action: what.action }),
    ...(what.decision === undefined ? {} : { resolve: resolveBody(what.decision) }),
  });

/** Decides a report, with an action on its content in the same step; a report that is done has no case to do so in, and takes two. */
export async function sendDecision({ report, decision, action }: { report: Pick<Report, 'id' | 'version' | 'status' | 'target'>; decision: Decision; action: string | null }): Promise<Report> {
  if (action === null) return resolveReport(report.id, report.version, decision);
  if (report.status === 'done') return resolveReport(report.id, (await runAction(report.id, report.version, action)).version, decision);
  await decideCase(report.target, [report], { action, decision });
  return readReport(report.id);
}
