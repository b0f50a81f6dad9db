import { core, get, post, withQuery } from './http';
import type {
  Answer,
  Assignee,
  Body,
  Counts,
  MeasureRequest,
  Page,
  Report,
  ReportItem,
  Resolution,
  RichTextNode,
  Schemas,
  Team,
  TimelineEntry,
  Translation,
} from './types';

const base = `${core}/moderation`;
const one = (id: string) => `${base}/reports/${encodeURIComponent(id)}`;

export type Query = Record<string, string | number | undefined>;

export const listReports = (query: Query, signal?: AbortSignal) =>
  get<Page<ReportItem>>(withQuery(`${base}/reports`, query), signal);

export const countReports = (query: Query, signal?: AbortSignal) =>
  get<Counts>(withQuery(`${base}/reports/counts`, query), signal);

export const readReport = (id: string, signal?: AbortSignal) => get<Report>(one(id), signal);

export const translateReport = (id: string, to: string) => post<Translation>(`${one(id)}/translate`, { to });

export const readTimeline = (id: string, query: Query, signal?: AbortSignal) =>
  get<Page<TimelineEntry>>(withQuery(`${one(id)}/timeline`, query), signal);

/** A content around a reported one, or the reported one. */
export type ContextItem = Answer<'getContext'>['items'][number];

/** What stands around the content now; empty for types without a thread. */
export const readContext = (id: string, signal?: AbortSignal) => get<Answer<'getContext'>>(`${one(id)}/context`, signal);

export const relatedReports = (id: string, query: Query, signal?: AbortSignal) =>
  get<Page<ReportItem>>(withQuery(`${one(id)}/related`, query), signal);

export const listAssignees = (id: string, search: string, signal?: AbortSignal) =>
  get<Page<Assignee>>(withQuery(`${one(id)}/assignees`, { search, first: 50 }), signal);

/** Who could release a decision of the user on the report. */
export const listReleasers = (id: string, signal?: AbortSignal) => get<Page<Assignee>>(withQuery(`${one(id)}/assignees`, { may: 'approve', first: 20 }), signal);

export const readTeam = (signal?: AbortSignal) => get<Team>(`${base}/team`, signal);

export const claimReport = (id: string, expectedVersion: number) => post<Report>(`${one(id)}/claim`, { expectedVersion });

export const assignReport = (id: string, expectedVersion: number, assigneeId: string) =>
  post<Report>(`${one(id)}/assign`, { expectedVersion, assigneeId });

export const unassignReport = (id: string, expectedVersion: number) =>
  post<Report>(`${one(id)}/unassign`, { expectedVersion });

/** Leaves the report to an account, or to `leads`. */
export const escalateReport = (id: string, expectedVersion: number, to: string, note: string) =>
  post<Report>(`${one(id)}/escalate`, { to, note, expectedVersion });

/** Gives an escalated report back. */
export const returnReport = (id: string, expectedVersion: number, note: string | null) =>
  post<Report>(`${one(id)}/return`, { note, expectedVersion });

export interface Decision {
  resolution: Resolution;
  explanation: string;
  /** Whether the explanation is shared with the reporter. */
  share: boolean;
  /** The rule that the decision refers to. */
  policy?: { key: string; version: number; title: string } | null;
  /** The statement to the author. */
  reasons?: RichTextNode | null;
  /** What it imposes on authors. */
  measures?: MeasureRequest[];
}

/** Reports whether the author of the content is notified of such a decision, with its rule and reasons. */
export const informsAuthor = (decision: Pick<Decision, 'resolution'>) => decision.resolution === 'action_taken';

/** A decision as the API takes it. */
export function resolveBody(decision: Decision): Omit<Body<'resolveReport'>, 'expectedVersion'> {
  const explanation = decision.explanation.trim();
  return {
    resolution: decision.resolution,
    ...(explanation === '' ? {} : { explanation }),
    ...(decision.share && explanation !== '' ? { share: true } : {}),
    ...(informsAuthor(decision) && decision.policy != null ? { policy: { key: decision.policy.key, version: decision.policy.version } } : {}),
    ...(informsAuthor(decision) && decision.reasons != null ? { reasons: decision.reasons } : {}),
    ...(informsAuthor(decision) && decision.measures !== undefined && decision.measures.length > 0 ? { measures: decision.measures } : {}),
  };
}

export const resolveReport = (id: string, expectedVersion: number, decision: Decision, action: string | null) =>
  post<Report>(`${one(id)}/resolve`, { expectedVersion, ...resolveBody(decision), ...(action === null ? {} : { action }) });

export const reopenReport = (id: string, expectedVersion: number, reason: string) =>
  post<Report>(`${one(id)}/reopen`, { expectedVersion, reason });

export const runAction = (id: string, expectedVersion: number, action: string) =>
  post<Report>(`${one(id)}/actions/${encodeURIComponent(action)}`, { expectedVersion });

export type NoteBody = string | RichTextNode;

export type NoteAnswer = Schemas['NoteAnswer'];

export const addNote = (id: string, body: NoteBody) => post<NoteAnswer>(`${one(id)}/notes`, { body });

export const editNote = (id: string, noteId: string, body: NoteBody) =>
  post<NoteAnswer>(`${one(id)}/notes/${encodeURIComponent(noteId)}/edit`, { body });

export const deleteNote = (id: string, noteId: string) =>
  post<NoteAnswer>(`${one(id)}/notes/${encodeURIComponent(noteId)}/delete`);

/** Pins a note until a time, at most a year from now; null takes the pin back. */
export const pinNote = (id: string, noteId: string, until: string | null) =>
  post<NoteAnswer>(`${one(id)}/notes/${encodeURIComponent(noteId)}/pin`, { until });

export const announcePresence = (id: string) => post<unknown>(`${one(id)}/presence`);

/** The report as it stood after the given event, or after its last. */
export const replayReport = (id: string, sequence: number | undefined, signal?: AbortSignal) =>
  get<Schemas['Replayed']>(withQuery(`${one(id)}/replay`, { sequence }), signal);

export type Filing = Body<'fileReport'>;

export const fileReport = (filing: Filing) =>
  post<Answer<'fileReport'>>(`${base}/reports`, filing);

export const targetTypes = (signal?: AbortSignal) => get<Answer<'listTargetTypes'>>(`${base}/target-types`, signal);

/** Families with the resources inside the caller's grants. */
export const scopeFamilies = async (signal?: AbortSignal) => (await get<Answer<'listScopes'>>(`${base}/scopes`, signal)).items;
