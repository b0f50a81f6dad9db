/** The shapes of the API, as its OpenAPI document describes them. */
import type { components, operations } from '../../../../scripts/clients/ts/docket';

export type Schemas = components['schemas'];

type Success<Responses> = Responses extends Record<200, infer A> ? A : Responses extends Record<201, infer A> ? A : Responses extends Record<202, infer A> ? A : never;

/** What an operation answers when it succeeds, by its `operationId`. */
export type Answer<Operation extends keyof operations> =
  Success<operations[Operation]['responses']> extends { content: { 'application/json': infer Body } } ? Body : never;

/** What an operation takes in its body. */
export type Body<Operation extends keyof operations> = operations[Operation] extends { requestBody: { content: { 'application/json': infer Taken } } } ? Taken : never;

export interface Page<T> {
  edges: T[];
  pageInfo: PageInfo;
}

export type PageInfo = Schemas['PageInfo'];

export type Status = Schemas['Status'];
export type Reason = Schemas['Reason'];
export type Resolution = Schemas['Resolution'];

export const statuses: readonly Status[] = ['new', 'in_progress', 'done'];
export const reasons: readonly Reason[] = ['spam', 'abusive', 'rule_violation', 'other'];
export const resolutions: readonly Resolution[] = ['no_violation', 'action_taken', 'duplicate'];

/** Unknown moves must be ignored: the server may learn new ones. */
export type Move = Schemas['Move'];
export type Handover = Schemas['Handover'];
/** Who appeals: the author of the content, or who reported it. */
export type AppealSide = Schemas['Role'];

export type Person = Schemas['Person'];
export type User = Schemas['User'];
export type Team = Answer<'getTeam'>;

export type Report = Schemas['Report'];
/** A row of the board. */
export type ReportItem = Schemas['ReportSummary'];
/** What was decided, as far as an author may be told. */
export type ReportDecision = NonNullable<Schemas['Decision']>;
export type Target = Report['target'];
export type TargetRef = ReportItem['target'];
/** An author of content, as snapshots name them. */
export type ContentAuthor = Schemas['ContentAuthor'];
export type Snapshot = Schemas['Snapshot'];
export type SnapshotField = Snapshot['fields'][number];
/** The value of a field of kind `file`. */
export interface SnapshotFile {
  id: string;
  name: string;
  mimeType: string;
  size: number;
  url: string;
}
/** A link in reported content, and in how many other reports it is. */
export type ReportLink = Schemas['Link'];
/** A note that everybody who works on its report or case should see, until a time. */
export type Pin = Schemas['Pin'];
export type Note = Schemas['Note'];
export type RichTextNode = Schemas['RichText'];
export type RichTextMark = Schemas['RichTextMark'];
export type TimelineEntry = Schemas['TimelineEntry'];
/** What a machine says about content. */
export type Signal = Report['signals'][number];

export type MeasureKind = Schemas['MeasureKind'];
export type MeasureEnd = NonNullable<Schemas['MeasureEnd']>;
export const measureKinds: readonly MeasureKind[] = ['warn', 'restrict', 'suspend', 'terminate'];
/** An author as a plugin's snapshots name them. */
export type AuthorRef = Schemas['MeasureAuthor'];
/** A measure on an author that a decision imposes; without an end it has no `until`. */
export type MeasureRequest = Required<NonNullable<Schemas['MeasureRequests']>[number]>;
/** A measure as its report shows it. */
export type ReportMeasure = Schemas['ReportMeasures'][number];

export type Counts = Answer<'countReports'>;
export type Assignee = Answer<'listAssignees'>['edges'][number];
export type TargetType = Answer<'listTargetTypes'>['items'][number];
/** Reported content in another language. */
export type Translation = Answer<'translateReport'>;

export type ScopeItem = Schemas['ScopeItem'];
export type ScopeFamily = Answer<'listScopes'>['items'][number];
export type Grant = Schemas['Grants'][number];
export type GrantScope = NonNullable<Grant['scope']>;
export type StaffEntry = Schemas['StaffEntry'];
export type CatalogPlugin = Answer<'listGrantablePermissions'>[number];
/** An administrator's permission has no scope. */
export type CatalogPermission = CatalogPlugin['admin'][string][number] & { scope?: string | null };
export type PermissionIssue = Schemas['GrantIssue'];
export type ValidationIssue = Schemas['Issue'];

export type CronJob = Schemas['CronJob'];
export type CronHealth = Schemas['CronHealth'];
export type QueueTask = Schemas['QueueTask'];
export type Integration = Schemas['Integration'];
