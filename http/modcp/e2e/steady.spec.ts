import type { Page } from '@playwright/test';
import { apiAs, authorOf, core, expectReport, file, readReport } from './support/api';
import { sql } from './support/sql';
import { expect, pageAs, test } from './support/test';

/** Adds up how far things moved by themselves, as the web's layout shift does. */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const moved = { sum: 0 };
    Object.assign(window, { moved });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) if (!entry.hadRecentInput) moved.sum += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => (window as unknown as { moved: { sum: number } }).moved.sum);
}

/** Decides a report with action, so that its author may appeal, and appeals as the author. */
async function appealed(targetId: string): Promise<string> {
  const id = await file('member2', { targetId });
  const author = await authorOf(id);
  const moderator = await apiAs('moderator');
  expect((await moderator.post(`${core()}/moderation/reports/${id}/resolve`, { data: { expectedVersion: 1, resolution: 'action_taken' } })).ok()).toBe(true);
  const member = await apiAs(author);
  await expect.poll(async () => (await member.post(`${core()}/users/decisions/${id}/appeal`, { data: { text: 'It was meant as a joke among friends.' } })).status()).toBeLessThan(300);
  return id;
}

test('signing in on a phone moves nothing by itself', async ({ browser }) => {
  const page = await pageAs(browser, null, { width: 390, own: true });
  const shifts = await watchShifts(page);
  await page.goto('/sign-in');
  await expect(page.getByRole('button', { name: /^Moderator/ })).toBeVisible();
  await page.evaluate(() => document.fonts.ready);
  expect(await shifts()).toBeLessThan(0.05);
});

test('the evidence, which tells its area by name, and the menu stay where they are while figures and rights are read', async ({ browser, post }) => {
  const id = await file('member3', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  let answer = () => {};
  const later = new Promise<void>((resolve) => (answer = resolve));
  for (const path of ['**/moderation/stats/**', '**/moderation/reporters/**', '**/moderation/authors/**']) {
    await page.route(path, async (route) => {
      await later;
      await route.continue();
    });
  }
  await page.goto(`/modcp/reports/${id}`);
  const evidence = page.getByRole('region', { name: 'As it was reported' });
  await expect(evidence).toBeVisible();
  const dashboard = page.getByRole('link', { name: 'Dashboard' });
  const before = [(await evidence.boundingBox())!.y, (await dashboard.boundingBox())!.x];
  answer();
  await expect(page.getByRole('region', { name: 'Reported by' }).getByText('Filed', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Appeals' })).toBeVisible();
  expect([(await evidence.boundingBox())!.y, (await dashboard.boundingBox())!.x]).toEqual(before);
  const { target } = (await readReport(id)) as unknown as { target: { scope: { id: string } } };
  await expect(evidence.getByText(target.scope.id, { exact: true })).toHaveCount(0);
});

test('before the panel runs its frame is painted, and keys that are pressed then are not lost', async ({ browser, post }) => {
  const id = await file('member4', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  let run = () => {};
  const held = new Promise<void>((resolve) => (run = resolve));
  await page.route('**/assets/*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`/modcp/reports/${id}`, { waitUntil: 'commit' });
  await expect(page.locator('.boot')).toBeVisible();
  expect((await page.locator('.boot > :first-child').boundingBox())!.height).toBeGreaterThan(40);
  await page.keyboard.press('n');
  await page.keyboard.type('hc');
  run();
  await expect(page.getByRole('textbox', { name: 'Note' })).toHaveValue('hc');
  expect((await readReport(id)).version).toBe(1);
});

test('keys that are pressed while a report loads wait for it, in their order', async ({ browser, post }) => {
  const id = await file('member5', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  await page.goto('/modcp/reports');
  let answer = () => {};
  const later = new Promise<void>((resolve) => (answer = resolve));
  await page.route(`**/moderation/reports/${id}`, async (route) => {
    await later;
    await route.continue();
  });
  await page.locator(`a[data-report="${id}"]`).click();
  await expect(page).toHaveURL(new RegExp(id));
  await page.keyboard.type('cn');
  await page.keyboard.type('hello');
  answer();
  await expect(page.getByRole('textbox', { name: 'Note' })).toHaveValue('hello');
  await expectReport(id, { status: 'in_progress' });
});

test('figures beside a report follow one’s own decision', async ({ browser, post }) => {
  const id = await file('member6', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  await page.goto(`/modcp/reports/${id}`);
  await expect(page.locator('[data-verdict="1"]')).toBeVisible();
  await page.keyboard.press('1');
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect(page.getByRole('region', { name: 'Reported by' }).getByText('Rejected', { exact: true }).locator('..')).toHaveText('Rejected1');
});

test('an open appeal stands above the fold of its report, and the menu counts it', async ({ browser, post }) => {
  const id = await appealed(post.id);
  const page = await pageAs(browser, 'admin');
  await page.goto(`/modcp/reports/${id}`);
  const appeal = page.getByText('The author has appealed, and nobody has decided it yet');
  await expect(appeal).toBeInViewport({ ratio: 1 });
  await expect(page.getByText('It was meant as a joke among friends.').first()).toBeInViewport();
  await expect(page.getByRole('link', { name: /^Appeals/ })).toContainText(/\d/);
});

test('on a phone a bar at the bottom leads to the decision, the words begin above the middle, and panels keep off the edges', async ({ browser, post }) => {
  const id = await file('member7', { targetId: post.id, description: 'A long story. '.repeat(60) });
  const page = await pageAs(browser, 'moderator', { width: 390 });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/modcp/reports/${id}`);
  const bar = page.getByRole('button', { name: 'To the decision' });
  const box = (await bar.boundingBox())!;
  expect(box.width).toBeGreaterThan(300);
  expect(box.y + box.height).toBeGreaterThan(780);
  expect((await page.getByRole('region', { name: 'As it was reported' }).locator('h3').first().boundingBox())!.y).toBeLessThan(422);
  await bar.click();
  await expect(page.getByRole('button', { name: 'Resolve', exact: true })).toBeInViewport();
  await expect(bar).toHaveCount(0);
  for (const [width, path, panel] of [[390, '/modcp/reports', 'Reports'], [720, '/modcp/reports', 'Reports'], [720, '/modcp/cases', 'Content with open reports']] as const) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(path);
    const region = page.getByRole('region', { name: panel }).first();
    await expect(region).toBeVisible();
    expect((await region.boundingBox())!.x).toBeGreaterThanOrEqual(8);
  }
});

test('from right to left, Latin words lose their end and not their beginning', async ({ browser, post }) => {
  sql(`UPDATE forum_posts SET body = '<p>${'Latin words that go on and on. '.repeat(12)}</p>' WHERE id = ${Number(post.id)}`);
  const id = await file('member8', { targetId: post.id });
  const page = await pageAs(browser, 'moderator', { locale: 'ar' });
  await page.goto('/modcp/reports');
  const words = page.locator(`[data-row="${id}"]`).getByText(/^Latin words/);
  await expect(words).toHaveCSS('direction', 'ltr');
  expect(await words.evaluate((element) => element.scrollWidth > element.clientWidth && element.scrollLeft === 0)).toBe(true);
  await page.goto(`/modcp/cases?target=${post.id}`);
  await expect(page.locator('a[data-case]').getByText(/^Latin words/)).toHaveCSS('direction', 'ltr');
});

test('who wrote what a decision hid is not led to a page that is not there', async ({ browser, post }) => {
  const id = await file('member9', { targetId: post.id });
  const author = await authorOf(id);
  const moderator = await apiAs('moderator');
  const decided = await moderator.post(`${core()}/moderation/cases/decide`, { data: { target: { pluginId: 'forum', type: 'forum.post', id: post.id }, reports: [{ id, expectedVersion: 1 }], action: 'hide', resolve: { resolution: 'action_taken' } } });
  expect(decided.ok()).toBe(true);
  const page = await pageAs(browser, author);
  await expect(async () => {
    await page.goto(`/decisions/${id}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(post.title, { timeout: 2_000 });
  }).toPass();
  await expect(page.getByRole('link', { name: 'Open', exact: true })).toHaveCount(0);
});
