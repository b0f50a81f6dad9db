import { request, type APIRequestContext } from '@playwright/test';

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

/** The ids of posts that there are reports on. */
export async function reportedPosts(base = url()): Promise<Set<string>> {
  const api = await apiAs('moderator', base);
  const answer = await api.get(`${core(base)}/moderation/reports?targetType=forum.post&first=100`);
  const { edges } = (await answer.json()) as { edges: { target: { id: string } }[] };
  await api.dispose();
  return new Set(edges.map((row) => row.target.id));
}

export interface Filing {
  targetId: string;
  targetType?: string;
  reason?: string;
  description?: string;
}

/** Files a report and gives its id. */
export async function file(as: string, filing: Filing, base = url()): Promise<string> {
  const api = await apiAs(as, base);
  const answer = await api.post(`${core(base)}/moderation/reports`, {
    data: { pluginId: 'forum', targetType: 'forum.post', reason: 'spam', ...filing },
  });
  const body = (await answer.json()) as { id?: string; error?: string };
  await api.dispose();
  if (body.id === undefined) throw new Error(`filing as ${as}: ${answer.status()} ${body.error}`);
  return body.id;
}

export interface StoredReport {
  id: string;
  version: number;
  status: string;
  assignee: { id: string; name: string } | null;
  resolution: string | null;
}

export async function readReport(id: string, as = 'moderator', base = url()): Promise<StoredReport> {
  const api = await apiAs(as, base);
  const answer = await api.get(`${core(base)}/moderation/reports/${id}`);
  const body = (await answer.json()) as StoredReport;
  await api.dispose();
  return body;
}
