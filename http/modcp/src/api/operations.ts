import { core, get, patch, post, put, remove, withQuery } from './http';
import type { Answer, CronHealth, CronJob, Integration, Page, QueueTask, Schemas } from './types';

const advanced = `${core}/admin/advanced`;
type Query = Record<string, string | number | undefined>;

export const listCron = (query: Query, signal?: AbortSignal) => get<Page<CronJob>>(withQuery(`${advanced}/cron`, query), signal);
export const runCron = (id: string) => post<{ executed: boolean }>(`${advanced}/cron/${encodeURIComponent(id)}`);
export const cronHealth = (signal?: AbortSignal) => get<CronHealth>(`${advanced}/cron/health`, signal);

export const listQueue = (query: Query, signal?: AbortSignal) => get<Page<QueueTask>>(withQuery(`${advanced}/queue`, query), signal);
export const failTask = (id: string) => post<unknown>(`${advanced}/queue/${encodeURIComponent(id)}/fail`);
export const retryTask = (id: string) => post<unknown>(`${advanced}/queue/${encodeURIComponent(id)}/retry`);

/** An event that a group of listeners failed on and skipped. */
export type PoisonedEvent = Schemas['PoisonedEvent'];

export const listPoison = (query: Query, signal?: AbortSignal) => get<Page<PoisonedEvent>>(withQuery(`${advanced}/poison`, query), signal);
export const replayPoison = (id: string) => post<void>(`${advanced}/poison/${encodeURIComponent(id)}/replay`);

/** One build of a projection; a newer one is built beside the live one. */
export type ProjectionBuild = Answer<'listProjections'>['items'][number];
/** A verification or rebuild, and how far it is. */
export type ProjectionRun = Schemas['ProjectionRun'];
export type ProjectionWork = ProjectionRun['work'];

/** The builds, and the latest run of each work on each projection. */
export const listProjections = (signal?: AbortSignal) => get<Answer<'listProjections'>>(`${advanced}/projections`, signal);
export const runProjection = (name: string, work: ProjectionWork) => post<ProjectionRun>(`${advanced}/projections/${encodeURIComponent(name)}/${work}`);

export const listIntegrations = (signal?: AbortSignal) => get<Integration[]>(`${core}/admin/integrations`, signal);

export type Webhook = Schemas['Webhook'];
export type Delivery = Schemas['WebhookDelivery'];

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

export type SavedView = Pick<Schemas['SavedView'], 'name' | 'query'>;

const views = `${core}/moderation/views`;

/** The caller's saved views; each keeps the board's query string. */
export const listViews = async (signal?: AbortSignal): Promise<SavedView[]> => (await get<Answer<'listViews'>>(views, signal)).edges.map(({ name, query }) => ({ name, query }));

export const saveView = (view: SavedView) => put<unknown>(`${views}/${encodeURIComponent(view.name)}`, { query: view.query });
export const removeView = (name: string) => remove<void>(`${views}/${encodeURIComponent(name)}`);
