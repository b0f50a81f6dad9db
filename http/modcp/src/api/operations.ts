import { core, get, patch, post, put, remove, withQuery } from './http';
import type { CronHealth, CronJob, Integration, Page, QueueTask } from './types';

const advanced = `${core}/admin/advanced`;
type Query = Record<string, string | number | undefined>;

export const listCron = (query: Query, signal?: AbortSignal) => get<Page<CronJob>>(withQuery(`${advanced}/cron`, query), signal);
export const runCron = (id: string) => post<{ executed: boolean }>(`${advanced}/cron/${encodeURIComponent(id)}`);
export const cronHealth = (signal?: AbortSignal) => get<CronHealth>(`${advanced}/cron/health`, signal);

export const listQueue = (query: Query, signal?: AbortSignal) => get<Page<QueueTask>>(withQuery(`${advanced}/queue`, query), signal);
export const failTask = (id: string) => post<unknown>(`${advanced}/queue/${encodeURIComponent(id)}/fail`);
export const retryTask = (id: string) => post<unknown>(`${advanced}/queue/${encodeURIComponent(id)}/retry`);

/** An event that a group of listeners failed on and skipped. */
export interface PoisonedEvent {
  id: string;
  group: string;
  eventId: string;
  name: string;
  reason: string;
  /** Replays that failed too. */
  replays: number;
  createdAt: string;
  updatedAt: string;
}

export const listPoison = (query: Query, signal?: AbortSignal) => get<Page<PoisonedEvent>>(withQuery(`${advanced}/poison`, query), signal);
export const replayPoison = (id: string) => post<void>(`${advanced}/poison/${encodeURIComponent(id)}/replay`);

/** One build of a projection; a newer one is built beside the live one. */
export interface ProjectionBuild {
  name: string;
  build: number;
  version: number;
  state: 'building' | 'live' | 'retired';
  position: number;
  behindEvents: number;
  lagSeconds: number;
  pausedAt: string | null;
  pausedWhy: string | null;
}

export type ProjectionWork = 'verify' | 'rebuild';

/** A verification or rebuild, and how far it is. */
export interface ProjectionRun {
  id: string;
  name: string;
  work: ProjectionWork;
  state: 'pending' | 'running' | 'done' | 'failed';
  /** Reports, or positions of the log. */
  done: number;
  /** 0 until it is known. */
  total: number;
  /** Rows that differed from the fold of their events. */
  wrong: number;
  /** The first of them. */
  findings: string[];
  requestedAt: string;
  finishedAt: string | null;
  error: string | null;
}

/** The builds, and the latest run of each work on each projection. */
export const listProjections = (signal?: AbortSignal) => get<{ items: ProjectionBuild[]; runs: ProjectionRun[] }>(`${advanced}/projections`, signal);
export const runProjection = (name: string, work: ProjectionWork) => post<ProjectionRun>(`${advanced}/projections/${encodeURIComponent(name)}/${work}`);

export async function listIntegrations(signal?: AbortSignal): Promise<Integration[]> {
  const answer = await get<Integration[] | { items: Integration[] }>(`${core}/admin/integrations`, signal);
  return Array.isArray(answer) ? answer : answer.items;
}

export interface Webhook {
  id: string;
  pluginId: string;
  /** The name in a plugin's manifest; null for one that an admin added. */
  name: string | null;
  url: string;
  /** Names, or prefixes ending in `*`; none means every event. */
  events: string[];
  enabled: boolean;
  disabledAt: string | null;
  disabledReason: string | null;
  /** The first failure since the last success, or null. */
  failingSince: string | null;
  createdAt: string;
  /** Only in the answer to its creation. */
  secret?: string;
}

export interface Delivery {
  id: string;
  event: string;
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  /** Of the last answer. */
  statusCode: number | null;
  lastError: string | null;
  createdAt: string;
}

const webhooks = `${core}/admin/webhooks`;
const webhook = (id: string) => `${webhooks}/${encodeURIComponent(id)}`;

export const listWebhooks = (query: Query, signal?: AbortSignal) => get<Page<Webhook>>(withQuery(webhooks, query), signal);
export const createWebhook = (body: { url: string; events: string[] }) => post<Webhook>(webhooks, body);
export const switchWebhook = (id: string, enabled: boolean) => patch<Webhook>(webhook(id), { enabled });
export const removeWebhook = (id: string) => remove<void>(webhook(id));
export const pingWebhook = (id: string) => post<unknown>(`${webhook(id)}/ping`);
export const listDeliveries = (id: string, query: Query, signal?: AbortSignal) =>
  get<Page<Delivery>>(withQuery(`${webhook(id)}/deliveries`, query), signal);
export const redeliver = (id: string, deliveryId: string) =>
  post<unknown>(`${webhook(id)}/deliveries/${encodeURIComponent(deliveryId)}/redeliver`);

export interface SavedView {
  name: string;
  query: string;
}

const views = `${core}/moderation/views`;

/** The caller's saved views; each keeps the board's query string. */
export async function listViews(signal?: AbortSignal): Promise<SavedView[]> {
  const answer = await get<Record<string, unknown> | unknown[]>(views, signal);
  const list = Array.isArray(answer) ? answer : ((answer.items ?? answer.edges ?? []) as unknown[]);
  return list.map((entry) => {
    const view = entry as Record<string, unknown>;
    return { name: String(view.name ?? ''), query: String(view.query ?? '') };
  });
}

export const saveView = (view: SavedView) => put<unknown>(`${views}/${encodeURIComponent(view.name)}`, { query: view.query });
export const removeView = (name: string) => remove<void>(`${views}/${encodeURIComponent(name)}`);
