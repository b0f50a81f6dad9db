import { expect, request, type APIRequestContext, type APIResponse } from '@playwright/test';
import { sql } from './sql';

export const url = () => process.env.E2E_URL!;
export const core = (base = url()) => `${base}/api/@platform/core`;
export const password = 'demo-password';

/** An API client signed in as one of the demo's accounts. */
export async function apiAs(name: string, base = url()): Promise<APIRequestContext> {
  const context = await request.newContext({ extraHTTPHeaders: { 'Content-Type': 'application/json' } });
  const answer = await context.post(`${core(base)}/users/sign-in`, { data: { email: `${name}@demo.test`, password } });
  if (!answer.ok()) throw new Error(`sign-in as ${name}: ${answer.status()}`);
  return context;
}

/** Kept signed in: tests file and poll all the time, and an account keeps its newest fifty sessions only. */
const kept = new Map<string, APIRequestContext>();

/** Asks as one of the demo's accounts. */
async function ask(as: string, base: string, call: (api: APIRequestContext) => Promise<APIResponse>): Promise<APIResponse> {
  const key = `${as} ${base}`;
  const api = kept.get(key) ?? (await apiAs(as, base));
  kept.set(key, api);
  const answer = await call(api);
  if (answer.status() !== 401) return answer;
  kept.set(key, await apiAs(as, base));
  return call(kept.get(key)!);
}

export interface ForumItem {
  id: string;
  title: string;
}

export async function forum(kind: 'posts' | 'topics', first = 100, base = url()): Promise<ForumItem[]> {
  const context = await request.newContext();
  const answer = await context.get(`${base}/api/forum/${kind}?first=${first}`);
  const page = (await answer.json()) as { edges: ForumItem[] };
  await context.dispose();
  return page.edges;
}

/** A post that nobody has reported, in the demo of a folder or the worker's: one of its own, or a new one where all are. */
export function unreportedPost(data?: string): ForumItem {
  const free = () =>
    sql(
      `SELECT id || ' ' || title FROM forum_posts p WHERE hidden_at IS NULL
        AND NOT EXISTS (SELECT FROM core_moderation_reports r WHERE r.target_type = 'forum.post' AND r.target_id = p.id::text) ORDER BY published_at DESC, id DESC LIMIT 1`,
      data,
    );
  const another = `INSERT INTO forum_posts (topic_id, category_id, author_id, title, body, locale, updated_at, published_at)
    SELECT topic_id, category_id, author_id, 'Another post, number ' || (SELECT count(*) FROM forum_posts), body, locale, now(), now()
    FROM forum_posts ORDER BY id LIMIT 1`;
  const found = free() || (sql(another, data), free());
  const [id, ...words] = found.split(' ');
  return { id: id!, title: words.join(' ') };
}

export interface Filing {
  targetId: string;
  targetType?: string;
  reason?: string;
  description?: string;
}

/**
 * Files a report and gives its id. Nobody may file more than twenty an hour, so another
 * member does where this one has, or a new one where all have; and another, too, where
 * this one has stood in for a member and reported the same thing.
 */
export async function file(as: string, filing: Filing, base = url()): Promise<string> {
  const members = [as, ...Array.from({ length: 9 }, (_, n) => `member${9 - n}`).filter((member) => member !== as)];
  for (;;) {
    const member = members.shift() ?? newMember();
    const answer = await ask(member, base, (api) => api.post(`${core(base)}/moderation/reports`, { data: { pluginId: 'forum', targetType: 'forum.post', reason: 'spam', ...filing } }));
    const body = (await answer.json()) as { id?: string; error?: string };
    if (body.id !== undefined) return body.id;
    if (!['rate_limited', 'already_reported'].includes(body.error ?? '')) {
      throw new Error(`filing as ${member}: ${answer.status()} ${body.error}`);
    }
  }
}

/** Makes a member with the demo's password and gives their name to sign in with. */
export const newMember = () =>
  sql(`INSERT INTO core_users (id, email, name, password_hash, demo, created_at)
    SELECT gen_random_uuid(), 'member' || (SELECT count(*) FROM core_users) || '@demo.test', 'Another Member', password_hash, demo, now()
    FROM core_users WHERE email = 'member1@demo.test' RETURNING split_part(email, '@', 1)`);

/** A rule that reporters can name. */
export async function reportableRule(base?: string): Promise<{ key: string; title: string }> {
  const api = await apiAs('admin', base);
  const key = `ads-${Date.now()}`;
  const title = 'No hidden advertising';
  const answer = await api.post(`${core(base)}/admin/policies`, { data: { key, title, text: 'Say so when you are paid.', template: 'You were paid and did not say so.', reportable: true } });
  expect(answer.status()).toBe(201);
  await api.dispose();
  return { key, title };
}

export interface StoredReport {
  id: string;
  version: number;
  status: string;
  assignee: { id: string; name: string } | null;
  resolution: string | null;
}

export async function readReport(id: string, as = 'moderator', base = url()): Promise<StoredReport> {
  return (await (await ask(as, base, (api) => api.get(`${core(base)}/moderation/reports/${id}`))).json()) as StoredReport;
}

/** Waits until the server agrees: the panel shows what was decided before the answer has come. */
export const expectReport = (id: string, expected: Partial<StoredReport>) => expect.poll(() => readReport(id)).toMatchObject(expected);

/** Waits until a search finds so many cases: they follow the log with a moment's delay. */
export async function expectCases(search: string, count: number): Promise<void> {
  const api = await apiAs('moderator');
  await expect.poll(async () => ((await (await api.get(`${core()}/moderation/cases?search=${search}&first=50`)).json()) as { edges: unknown[] }).edges.length).toBe(count);
  await api.dispose();
}

/** The demo account whose content a report is about. */
export async function authorOf(reportId: string): Promise<string> {
  const moderator = await apiAs('moderator');
  const report = (await (await moderator.get(`${core()}/moderation/reports/${reportId}`)).json()) as { snapshot: { authors: { id: string; name: string }[] } };
  const author = report.snapshot.authors[0]!;
  const admin = await apiAs('admin');
  const { edges } = (await (await admin.get(`${core()}/admin/users?search=${encodeURIComponent(author.name)}`)).json()) as { edges: { id: string; email: string }[] };
  return edges.find((user) => user.id === author.id)!.email.replace('@demo.test', '');
}
