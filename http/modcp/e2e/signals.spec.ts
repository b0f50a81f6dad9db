import { execFileSync } from 'node:child_process';
import { core, file } from './support/api';
import { axeFaults } from './support/axe';
import { expect, pageAs, test } from './support/test';

let token: string | undefined;

/** Sends a signal as the forum's own classifier would. */
async function send(post: string, signals: Record<string, number>): Promise<number> {
  token ??= execFileSync(process.env.DOCKET_BIN!, ['token', 'create', '--use', 'signal', '--plugin', 'forum'], {
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

for (const [scheme, locale, width] of [['light', 'en', 1280], ['dark', 'ar', 390]] as const) {
  test(`a report shows its signals, and new ones as they come: ${scheme}, ${locale}, ${width}`, async ({ browser, post }) => {
    expect(await send(post.id, { 'links.unknown': 0.25, [`a${'-long-name'.repeat(6)}`]: 0.123 })).toBe(0);
    const id = await file('member2', { targetId: post.id });
    const page = await pageAs(browser, 'moderator', { colorScheme: scheme, locale, width });
    await page.goto(`/modcp/reports/${id}`);
    const panel = page.getByRole('region', { name: locale === 'en' ? 'Signals' : 'الإشارات', exact: true });
    const items = panel.getByRole('listitem');
    await expect(items).toHaveCount(2);
    await expect(items.first()).toContainText('links.unknown');
    await expect(items.first()).toContainText('forum');
    if (locale === 'en') await expect(items.first()).toContainText('0.25');
    expect(await axeFaults(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);

    expect(await send(post.id, { spam: 0.9 })).toBe(1);
    await expect(items).toHaveCount(3);
    await expect(items.first()).toContainText('spam');
    if (locale === 'en') await expect(page.getByText('Signals from forum: spam 0.9', { exact: true })).toBeVisible();
    await expect(page.locator('[data-kind="changed"]')).toHaveCount(0); // no colleague has changed it
  });
}

test('a report without signals says nothing of them', async ({ browser, post }) => {
  const id = await file('member3', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  await page.goto(`/modcp/reports/${id}`);
  await expect(page.getByRole('heading', { name: 'Decision', exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Signals', exact: true })).toHaveCount(0);
});
