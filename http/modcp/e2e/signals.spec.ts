import { execFileSync } from 'node:child_process';
import { core, file } from './support/api';
import { axeFaults } from './support/axe';
import { expect, pageAs, test } from './support/test';

let token: string | undefined;

/** Sends a signal as the forum's own classifier would. */
async function send(post: string, signals: Record<string, number>): Promise<number> {
  token ??= execFileSync(process.env.E2E_BINARY!, ['token', 'create', '--use', 'signal', '--plugin', 'forum'], {
    env: { ...process.env, DOCKET_DATA_DIR: process.env.E2E_DATA!, DATABASE_URL: '' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
  const answer = await fetch(`${core()}/moderation/signals`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ pluginId: 'forum', targetType: 'forum.post', targetId: post, signals: Object.entries(signals).map(([name, score]) => ({ name, score })) }),
  });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { reports: number }).reports;
}

test('a report shows its signals, and new ones as they come, also in the dark on a phone, from the right', async ({ browser, post }) => {
  const id = await file('member2', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  await page.goto(`/modcp/reports/${id}`);
  await expect(page.getByRole('heading', { name: 'Decision', exact: true })).toBeVisible();
  const panel = page.getByRole('region', { name: 'Signals', exact: true });
  await expect(panel).toHaveCount(0); // it says nothing of none
  expect(await send(post.id, { 'links.unknown': 0.25, [`a${'-long-name'.repeat(6)}`]: 0.123 })).toBe(1);
  const items = panel.getByRole('listitem');
  await expect(items).toHaveCount(2);
  await expect(items.first()).toContainText('links.unknown');
  await expect(items.first()).toContainText('forum');
  await expect(items.first()).toContainText('0.25');
  expect(await axeFaults(page)).toEqual([]);

  expect(await send(post.id, { spam: 0.9 })).toBe(1);
  await expect(items).toHaveCount(3);
  await expect(items.first()).toContainText('spam');
  await expect(page.getByText('Signals from forum: spam 0.9', { exact: true })).toBeVisible();
  await expect(page.locator('[data-kind="changed"]')).toHaveCount(0); // no colleague has changed it

  const phone = await pageAs(browser, 'moderator', { colorScheme: 'dark', locale: 'ar', width: 390 });
  await phone.goto(`/modcp/reports/${id}`);
  await expect(phone.getByRole('region', { name: 'الإشارات', exact: true }).getByRole('listitem')).toHaveCount(3);
  expect(await axeFaults(phone)).toEqual([]);
  expect(await phone.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});
