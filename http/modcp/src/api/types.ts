/** The shapes of the public HTTP API; its OpenAPI document describes them. */

export type Status = 'new' | 'in_progress' | 'done';
export type Reason = 'spam' | 'abusive' | 'rule_violation' | 'other';
export type Resolution = 'no_violation' | 'action_taken' | 'duplicate';

export const statuses: readonly Status[] = ['new', 'in_progress', 'done'];
export const reasons: readonly Reason[] = ['spam', 'abusive', 'rule_violation', 'other'];
export const resolutions: readonly Resolution[] = ['no_violation', 'action_taken', 'duplicate'];

/** Moves the server offers. Unknown names must be ignored: the server may learn new ones. */
export type Move = 'claim' | 'assign' | 'unassign' | 'resolve' | 'reopen' | (string & {});

/** Who appeals: the author of the content, or who reported it. */
export type AppealSide = 'author' | 'reporter';

export interface Person {
  id: string;
  name: string;
}

/** The first few of those who are online and of those who hold reports, and how many there are. */
export interface Team {
  online: Person[];
  onlineCount: number;
  holders: (Person & { reports: number })[];
  holderCount: number;
  oldestUnclaimed: { id: string; createdAt: string } | null;
}

export interface User extends Person {
  /** Null for an account that has none. */
  email: string | null;
  isAdmin: boolean;
  isModerator: boolean;
}

export interface PageInfo {
  startCursor: string | null;
  endCursor: string | null;
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  totalCount?: number | null;
  totalCountCapped?: boolean;
}

export interface Page<T> {
  edges: T[];
  pageInfo: PageInfo;
}

export interface ScopeResource {
  family: string;
  id: string;
}

export interface TargetRef {
  pluginId: string;
  type: string;
  id: string;
  label: string;
  permissionModule: string;
  scope: ScopeResource | null;
}

export interface Target extends TargetRef {
  /** Null when the content is gone or cannot be reached. */
  current: { hidden: boolean; url: string } | null;
}

export interface SnapshotFile {
  id: string;
  name: string;
  mimeType: string;
  size: number;
  url: string;
}

export interface SnapshotField {
  name: string;
  label: string;
  kind: 'text' | 'richText' | 'file' | 'value' | (string & {});
  value: unknown;
}

export interface Snapshot {
  version: number;
  capturedAt: string;
  target: { pluginId: string; type: string; id: string };
  title: string;
  fields: SnapshotField[];
  locale: { requested: string; served: string; fallback: boolean };
  source: { version: string | null; updatedAt: string | null; publishedAt: string | null };
  authors: Person[];
  scope: ScopeResource | null;
  url: string;
  truncated: boolean;
}

interface ReportBase {
  id: string;
  status: Status;
  version: number;
  reason: Reason;
  description: string | null;
  reporter: Person | null;
  assignee: Person | null;
  resolver: Person | null;
  resolution: Resolution | null;
  explanation: string | null;
  openReportsOnTarget: number;
  noteCount: number;
  /** When the report should be decided; null without a deadline. */
  dueAt: string | null;
  /** True where its reporter was muted when they filed it. */
  muted: boolean;
  createdAt: string;
  updatedAt: string;
  resolvedAt: string | null;
  /** True where the text of the report was erased on request. */
  erased?: boolean;
  /** Null while the report is not done. */
  decision?: ReportDecision | null;
  /** What its decisions imposed on authors, the oldest first. */
  measures?: ReportMeasure[];
}

/** What was decided, as far as an author may be told. */
export interface ReportDecision {
  /** The rule it refers to; the title is not in every answer. */
  policy: { key: string; version: number; title?: string } | null;
  /** The statement to the author. */
  reasons: RichTextNode | string | null;
  decidedAt: string;
  /** Null where no appeal is possible. */
  appealableUntil: string | null;
  /** Actions that were done and not undone since. */
  actions: string[];
  erased?: boolean;
}

/** An author of content, as snapshots name them; the name is null once it was erased. */
export interface ContentAuthor {
  id: string;
  name: string | null;
}

/** A row of the board. */
export interface ReportItem extends ReportBase {
  target: TargetRef;
  title: string | null;
  excerpt: string | null;
  authors: ContentAuthor[];
}

export interface TargetAction {
  name: string;
  available: boolean;
  permitted: boolean;
  /** True while the platform that holds the content has not answered yet. */
  pending?: boolean;
}

/** A link in reported content, and in how many other reports it is. */
export interface ReportLink {
  url: string;
  host: string;
  /** Why the host may imitate another. Unknown reasons may come: the server may learn new ones. */
  suspicious: 'mixed_script' | (string & {}) | null;
  reports: number;
  /** Of them those that were acted on. */
  upheld: number;
}

export interface Report extends ReportBase {
  target: Target;
  snapshot: Snapshot | null;
  links: ReportLink[];
  actions: TargetAction[];
  moves: Move[];
  /** The user made the decision and its appeal is open, so that only others may replace it. */
  ownDecision: boolean;
  translatable: boolean;
  /** The notes that are pinned now. */
  pinned: Pin[];
  /** What machines say about the content, sorted by source and name. */
  signals: Signal[];
  timeline: Page<TimelineEntry>;
}

/** What a machine says about content. */
export interface Signal {
  source: string;
  name: string;
  /** From 0 to 1. */
  score: number;
  at: string;
}

/** A note that everybody who works on its report or case should see, until a time. */
export interface Pin {
  reportId: string;
  noteId: string;
  until: string;
  by: Person | null;
}

export interface RichTextMark {
  type: string;
  attrs?: Record<string, unknown>;
}

export interface RichTextNode {
  type: string;
  text?: string;
  attrs?: Record<string, unknown>;
  marks?: RichTextMark[];
  content?: RichTextNode[];
}

export interface Note {
  id: string;
  author: Person | null;
  body: string | RichTextNode | null;
  kind: 'text' | 'richText';
  createdAt: string;
  editedAt: string | null;
  deletedAt: string | null;
  erased?: boolean;
}

export type MeasureKind = 'warn' | 'restrict' | 'suspend' | 'terminate';
export type MeasureEnd = 'expiry' | 'overturn' | 'moderator';

export const measureKinds: readonly MeasureKind[] = ['warn', 'restrict', 'suspend', 'terminate'];

/** An author as a plugin's snapshots name them. */
export interface AuthorRef {
  pluginId: string;
  id: string;
}

/** A measure on an author that a decision imposes; without an end it has no `until`. */
export interface MeasureRequest {
  authorId: string;
  kind: MeasureKind;
  until: string | null;
}

/** A measure as its report shows it. */
export interface ReportMeasure {
  measureId: string;
  author: AuthorRef;
  kind: MeasureKind;
  until: string | null;
  because: 'moderator' | 'ladder';
  /** Null while it stands. */
  endedAt: string | null;
  endedBy: MeasureEnd | null;
  /** The platform has yet to carry out the measure or its end, or has refused to. */
  pending?: boolean;
  failed?: boolean;
}

export interface TimelineEntry {
  id: string;
  sequence: number;
  type:
    | 'created'
    | 'assigned'
    | 'note_added'
    | 'note_updated'
    | 'note_deleted'
    | 'note_pinned'
    | 'action'
    | 'resolved'
    | 'reopened'
    | 'appealed'
    | 'appeal_decided'
    | 'action_requested'
    | 'action_failed'
    | 'overdue'
    | 'measure_imposed'
    | 'measure_ended'
    | 'measure_pending'
    | 'measure_confirmed'
    | 'measure_failed'
    | 'signalled'
    | (string & {});
  actor: Person | null;
  version: number;
  occurredAt: string;
  data: {
    reason?: string | null;
    description?: string | null;
    assigneeId?: string | null;
    previousAssigneeId?: string | null;
    claimed?: boolean;
    note?: Note;
    noteId?: string;
    /** Until when a note is pinned or a measure stands; null where the pin was taken back, or without an end. */
    until?: string | null;
    action?: string;
    resolution?: Resolution;
    explanation?: string | null;
    policy?: ReportDecision['policy'];
    reasons?: RichTextNode | string | null;
    appealId?: string;
    /** Who appeals, or what ended a measure. */
    by?: AppealSide | MeasureEnd;
    author?: { pluginId: string; id: string };
    kind?: MeasureKind;
    because?: 'moderator' | 'ladder';
    /** The strikes for which the ladder proposed a measure. */
    threshold?: number;
    /** True where the end of a measure is asked for, instead of the measure. */
    ends?: boolean;
    text?: string | null;
    outcome?: 'upheld' | 'overturned';
    reply?: string | null;
    /** True where another change replaced the decision, which grants the appeal without a reply. */
    superseded?: boolean;
    source?: string;
    signals?: { name: string; score: number; at: string }[];
    /** The deadline of a report that is overdue. */
    dueAt?: string;
    erased?: boolean;
  };
}

export interface Counts {
  new: number;
  inProgress: number;
  done: number;
  mine: number;
  unassigned: number;
  /** Only the newest reports were counted. */
  capped?: boolean;
}

export interface Assignee extends Person {
  self: boolean;
}

export interface TargetType {
  pluginId: string;
  type: string;
  label: string;
  permissionModule: string;
  scope: string | null;
  actions: string[];
  /** The path in the public content API; null where the type has none. */
  publicPath: string | null;
}

export interface ScopeItem {
  id: string;
  label: string;
  context?: string[];
}

export interface ScopeFamily {
  family: string;
  label: string;
  description?: string | null;
  resources: ScopeItem[];
}

export type GrantScope =
  | { family: string; mode: 'all' }
  | { family: string; mode: 'selected'; ids: string[] };

export interface Grant {
  plugin: string;
  module: string;
  permission: string;
  scope?: GrantScope;
}

export interface StaffUser extends Person {
  /** Null for an account that has none. */
  email: string | null;
}

export interface StaffEntry {
  id: string;
  user: StaffUser | null;
  unrestricted: boolean;
  permissions: Grant[];
  createdAt: string;
  updatedAt: string;
}

export interface CatalogPermission {
  permission: string;
  dependsOn?: string | null;
  scope?: string | null;
}

export interface CatalogPlugin {
  pluginId: string;
  admin: Record<string, CatalogPermission[]>;
  moderator: Record<string, CatalogPermission[]>;
}

export interface PermissionIssue {
  key: string;
  type: string;
}

export interface ValidationIssue {
  path: string;
  code: string;
  message: string;
}

export interface CronJob {
  id: string;
  pluginId: string;
  module: string;
  name: string;
  description: string | null;
  schedule: string;
  lastRun: string | null;
  nextRun: string | null;
  createdAt: string;
}

export interface CronHealth {
  active: boolean;
  jobs: number;
  lastRun: string | null;
  overdueJobs: number;
  stale: boolean;
  defaultSecret: boolean;
}

export interface QueueTask {
  id: string;
  pluginId: string;
  name: string;
  queue: string;
  status: 'pending' | 'processing' | 'completed' | 'failed';
  priority: number;
  attempts: number;
  maxAttempts: number;
  availableAt: string;
  lockedUntil: string | null;
  lastError: string | null;
  createdAt: string;
  completedAt: string | null;
}

export interface Integration {
  name: string;
  active: boolean;
  detail: string;
}

/** Reported content in another language. */
export interface Translation {
  /** Null if the service cannot tell. */
  from: string | null;
  to: string;
  title: string;
  fields: { name: string; text: string }[];
  cut: boolean;
}
