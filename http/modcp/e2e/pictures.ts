import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { apiAs, core, file, type Filing } from './support/api';
import { campaign } from './support/campaign';
import { sql } from './support/sql';
import { expect, pageAs, test } from './support/test';

// Not a test: `npm run pictures` takes the pictures of the README and of docs/moderate.md.
const root = resolve(import.meta.dirname, '../../..');

async function take(page: Page, path: string): Promise<void> {
  const to = resolve(root, path);
  mkdirSync(dirname(to), { recursive: true });
  await page.screenshot({ path: to, animations: 'disabled', caret: 'hide' });
}

async function publish(key: string, title: string, text: string, template: string): Promise<void> {
  expect((await (await apiAs('admin')).post(`${core()}/admin/policies`, { data: { key, title, text, template } })).ok()).toBe(true);
}

/** Reports on what a member of the demo's forum wrote, found by a part of it. */
async function reported(words: string, by: readonly string[], reason: Filing['reason'], description = ''): Promise<{ post: string; ids: string[] }> {
  const post = sql(`SELECT id FROM forum_posts WHERE body LIKE '%${words}%' ORDER BY id LIMIT 1`);
  const ids: string[] = [];
  for (const member of by) ids.push(await file(member, { targetId: post, reason, description: ids.length === 0 ? description : '' }));
  return { post, ids };
}

/** What a moderator of a garden forum finds one morning. */
async function aMorning() {
  await publish('trade', 'No illegal trade', 'What may not be sold outside may not be sold here.', 'Your post offers something that may not be sold without papers.');
  await publish('civility', 'Be civil', 'Argue with what was said, not with who said it.', 'Your post insults other members.');
  await publish('advertising', 'No advertising', 'Advertising is not allowed.', 'Your post advertises a product.');
  const orchids = await reported('rare orchids', ['member5', 'member3', 'member1'], 'rule_violation', 'Selling under the table, and the rules say no trade here.');
  await reported('bunch of losers', ['member2', 'member4'], 'abusive', 'Nobody should have to read this over breakfast.');
  await reported('boost.example', ['member3'], 'spam');
  await reported('quick-cash', ['member6'], 'spam');
  await reported('SUPPORT LINE', ['member1'], 'spam', 'They ask for card numbers!');
  await reported('how dumb can one be', ['member5'], 'abusive');
  await reported('pathetic', ['member6'], 'abusive');
  sql(`UPDATE forum_posts SET body = '<p>Selling rare orchids, with all papers, cash only, write to me here before somebody else does.</p>', updated_at = now() WHERE id = ${orchids.post}`);
  const admin = await apiAs('admin');
  const path = `${core()}/moderation/reports/${orchids.ids[0]}/notes`;
  const { note } = (await (await admin.post(path, { data: { body: 'The customs office asked us to keep it visible until Friday.' } })).json()) as { note: { id: string } };
  expect((await admin.post(`${path}/${note.id}/pin`, { data: { until: new Date(Date.now() + 3 * 86_400_000).toISOString() } })).ok()).toBe(true);
  await expect.poll(async () => ((await (await admin.get(`${core()}/moderation/cases?first=50`)).json()) as { edges: unknown[] }).edges.length).toBeGreaterThan(5);
  return orchids;
}

test('pictures', async ({ browser }) => {
  test.setTimeout(240_000);
  const orchids = await aMorning();
  const report = `/modcp/reports/${orchids.ids[0]}`;
  for (const [colorScheme, name] of [['light', 'report'], ['dark', 'report-dark']] as const) {
    const page = await pageAs(browser, 'moderator', { colorScheme });
    await page.setViewportSize({ width: 1240, height: 720 });
    await page.goto(report);
    await page.getByRole('button', { name: 'Compare with now' }).click();
    await expect(page.locator('ins').first()).toBeVisible();
    await expect(page.locator('[data-verdict="2"]')).toBeVisible();
    await expect(page.locator('[data-loading]')).toHaveCount(0);
    await take(page, `http/modcp/pictures/${name}.png`);
  }

  const page = await pageAs(browser, 'moderator');
  const sized = (width: number, height: number) => page.setViewportSize({ width, height });
  await sized(1240, 720);
  await page.goto('/modcp/cases');
  await expect(page.locator('a[data-case]').nth(6)).toBeVisible();
  await take(page, 'http/modcp/pictures/board.png');

  await sized(1180, 720);
  await page.goto(`/modcp/cases/forum/forum.post/${orchids.post}`);
  await expect(page.getByRole('region', { name: 'Notes to read first' })).toContainText('customs office');
  await page.locator('[data-verdict="2"]').waitFor();
  await page.keyboard.press('2');
  await expect(page.getByRole('region', { name: 'Notes to read first' }).getByRole('alert')).toBeVisible();
  await take(page, 'docs/moderate/note.png');

  // Over the list, a decision that waits and one that found no server.
  const spam = await reported('quick-cash', [], 'spam');
  const insult = await reported('bunch of losers', [], 'abusive');
  await page.goto('/modcp/cases');
  await page.locator(`a[data-case][href$="/${insult.post}"]`).click();
  await page.locator('[data-verdict="3"]').waitFor();
  await page.route('**/cases/decide', (route) => route.abort());
  await page.keyboard.press('3');
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect(page.getByRole('alert').first()).toBeVisible();
  await page.getByRole('link', { name: /^Reports|^Cases/ }).first().click();
  // What waits may cover the row.
  await page.locator(`a[data-case][href$="/${spam.post}"]`).press('Enter');
  await page.locator('[data-verdict="4"]').waitFor();
  await page.keyboard.press('4');
  await expect(page).toHaveURL(/\/modcp\/cases(\?|$)/);
  await expect(page.getByRole('region', { name: 'Decisions on their way' }).locator('[data-tone]')).toHaveCount(2);
  await take(page, 'docs/moderate/tray.png');
  await page.getByRole('button', { name: 'Give up' }).click();
  await page.keyboard.press('u');
  await page.unroute('**/cases/decide');

  await sized(1500, 520);
  await page.goto('/modcp/cases');
  await expect(page.locator('a[data-case]').nth(6)).toBeVisible();
  await page.locator(`a[data-case][href$="/${orchids.post}"]`).focus();
  await page.keyboard.press('v');
  await expect(page.getByRole('navigation', { name: 'The list' }).getByRole('link')).not.toHaveCount(0);
  await expect(page.locator('[data-verdict="2"]')).toBeVisible();
  await expect(page.locator('[data-loading]')).toHaveCount(0);
  await take(page, 'docs/moderate/beside.png');
  await page.keyboard.press('v');

  const [alike] = await campaign('followers', ['nine', 'nine', 'seven', 'five']);
  await sized(1180, 720);
  await page.goto(`/modcp/reports/${alike}`);
  await page.getByRole('button', { name: 'Compare and decide' }).click();
  await expect(page.getByRole('dialog').locator('ins').first()).toBeVisible();
  await page.keyboard.press('j');
  await take(page, 'docs/moderate/look-alikes.png');
});
