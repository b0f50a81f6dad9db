import { apiAs, core, file, readReport } from './api';
import { sql } from './sql';
import { expect } from './test';

/** A post of the category whose reports the scoped moderator works on, which no other test is about. */
const freshPost = () =>
  sql(`INSERT INTO forum_posts (topic_id, category_id, author_id, title, body, locale, updated_at, published_at)
    SELECT topic_id, category_id, author_id, 'Decided again, number ' || (SELECT count(*) FROM forum_posts), body, locale, now(), now()
    FROM forum_posts WHERE category_id = 'general' ORDER BY id LIMIT 1 RETURNING id`);

/** Draws what is decided from now on; 0 draws nothing. */
export async function drawPercent(percent: number): Promise<void> {
  await (await apiAs('admin')).put(`${core()}/admin/quality`, { data: { percent, golden: 0 } });
}

/** Decides a report as the moderator. */
export async function decideOnce(): Promise<string> {
  const id = await file('member5', { targetId: freshPost(), description: 'Words of the reporter.' });
  const { version } = await readReport(id);
  const answer = await (await apiAs('moderator')).post(`${core()}/moderation/reports/${id}/resolve`, { data: { expectedVersion: version, resolution: 'action_taken' } });
  expect(answer.ok()).toBe(true);
  return id;
}

/** Takes checkpoints until the decision of a report is drawn, and gives the id of its second opinion. */
export async function drawn(reportId: string): Promise<string> {
  const admin = await apiAs('admin');
  const { edges } = (await (await admin.get(`${core()}/admin/advanced/cron?first=100`)).json()) as { edges: { id: string; name: string }[] };
  const job = edges.find(({ name }) => name === 'checkpoint')!;
  let id: string | undefined;
  await expect
    .poll(async () => {
      await admin.post(`${core()}/admin/advanced/cron/${job.id}`);
      const list = (await (await admin.get(`${core()}/moderation/seconds?status=drawn&first=100`)).json()) as { edges: { id: string; reportId: string }[] };
      id = list.edges.find((one) => one.reportId === reportId)?.id;
      return id;
    }, { timeout: 30_000 })
    .toBeDefined();
  return id!;
}

/** A decision that waits to be decided again; those after it are not drawn. */
export async function drawnDecision(): Promise<string> {
  await drawPercent(100);
  const report = await decideOnce();
  await drawPercent(0);
  return drawn(report);
}

/** A dispute of two moderators, which the administrator settles. */
export async function disputedDecision(): Promise<void> {
  const id = await drawnDecision();
  const scoped = await apiAs('scoped');
  await scoped.post(`${core()}/moderation/next?kind=second`, { data: {} });
  const answer = await scoped.post(`${core()}/moderation/seconds/${id}`, { data: { resolution: 'no_violation' } });
  expect(answer.ok()).toBe(true);
}
