/** The shapes of the public HTTP API, as the contract writes them. */

export type Status = 'new' | 'in_progress' | 'done';
export type Reason = 'spam' | 'abusive' | 'rule_violation' | 'other';
export type Resolution = 'no_violation' | 'action_taken' | 'duplicate';

export const statuses: readonly Status[] = ['new', 'in_progress', 'done'];
export const reasons: readonly Reason[] = ['spam', 'abusive', 'rule_violation', 'other'];
export const resolutions: readonly Resolution[] = ['no_violation', 'action_taken', 'duplicate'];

/** Moves the server offers. Unknown names must be ignored: the server may learn new ones. */
export type Move = 'claim' | 'assign' | 'unassign' | 'resolve' | 'reopen' | (string & {});

export interface Person {
  id: string;
  name: string;
}

export interface User extends Person {
  email: string;
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
  /** Null once the target is deleted. */
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
  createdAt: string;
  updatedAt: string;
  resolvedAt: string | null;
  /** True where the words of the report were erased on request. */
  erased?: boolean;
}

/** A row of the board. */
export interface ReportItem extends ReportBase {
  target: TargetRef;
  title: string | null;
  excerpt: string | null;
}

export interface TargetAction {
  name: string;
  available: boolean;
  permitted: boolean;
}

export interface Report extends ReportBase {
  target: Target;
  snapshot: Snapshot | null;
  actions: TargetAction[];
  moves: Move[];
  timeline: Page<TimelineEntry>;
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

export interface TimelineEntry {
  id: string;
  sequence: number;
  type:
    | 'created'
    | 'assigned'
    | 'note_added'
    | 'note_updated'
    | 'note_deleted'
    | 'action'
    | 'resolved'
    | 'reopened'
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
    action?: string;
    resolution?: Resolution;
    explanation?: string | null;
    erased?: boolean;
  };
}

export interface Counts {
  new: number;
  inProgress: number;
  done: number;
  mine: number;
  unassigned: number;
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
  /** Of the public content API; null where everybody reads nothing of it there. */
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
