import type { Page } from '@playwright/test';
import { core, expectReport, file, unreportedPost } from './support/api';
import { sql } from './support/sql';
import { expect, pageAs, test } from './support/test';

/** Decides the report with “No violation”, and leaves for the board. */
async function decide(page: Page, id: string): Promise<void> {
  await page.goto(`/modcp/reports/${id}`);
  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  await page.getByRole('radio', { name: /^No violation/ }).click();
  await page.getByRole('form').getByRole('button', { name: 'Resolve report' }).click();
}

const trayOf = (page: Page) => page.getByRole('region', { name: 'Decisions on their way' });

test('a decision that finds no server stays on every screen until it is sent', async ({ browser, post }) => {
  const id = await file('member2', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  await page.route('**/resolve', (route) => route.abort());
  await decide(page, id);
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect(page.getByRole('region', { name: 'Decision' }).getByRole('alert')).toContainText('“No violation” was not sent.');
  await page.getByRole('link', { name: 'Dashboard' }).click();
  const tray = trayOf(page);
  await expect(tray).toContainText(post.title);
  await expect(tray).toContainText('“No violation” was not sent. The server cannot be reached.');
  await page.unroute('**/resolve');
  await tray.getByRole('button', { name: 'Try again' }).click();
  await expectReport(id, { status: 'done', resolution: 'no_violation' });
  await expect(tray).toHaveCount(0);
});

test('u takes the newest decision back and offers the way there; each says which it is', async ({ browser, post }) => {
  const page = await pageAs(browser, 'moderator');
  const first = await file('member3', { targetId: post.id });
  const other = unreportedPost();
  const second = await file('member3', { targetId: other.id });
  await page.goto(`/modcp/reports/${first}`);
  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  await page.getByRole('radio', { name: /^No violation/ }).click();
  await page.keyboard.press('Control+Enter');
  await page.keyboard.press('b');
  await page.locator(`a[data-report="${second}"]`).click();
  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  await page.getByRole('radio', { name: /^No violation/ }).click();
  await page.keyboard.press('Control+Enter');
  await page.keyboard.press('b');
  const tray = trayOf(page);
  await expect(tray).toContainText(other.title);
  await page.keyboard.press('u');
  await expect(tray.getByText(other.title)).toHaveCount(0);
  await page.getByRole('button', { name: `Open “${other.title}”` }).click();
  await expect(page).toHaveURL(new RegExp(second));
  await expectReport(second, { status: 'new' });
  await expectReport(first, { status: 'done' });
});

test('of many decisions that wait, the newest two are on show', async ({ browser }) => {
  for (const n of [1, 2, 3, 4]) {
    const post = sql(`INSERT INTO forum_posts (topic_id, category_id, author_id, title, body, locale, updated_at, published_at)
      SELECT topic_id, category_id, author_id, 'stacked ${n}', '<p>Text ${n} of many.</p>', locale, now(), now() FROM forum_posts ORDER BY id LIMIT 1 RETURNING id`);
    await file('member8', { targetId: post });
  }
  const page = await pageAs(browser, 'moderator', { own: true });
  await page.addInitScript(() => localStorage.setItem('docket.advance', 'on'));
  await page.goto('/modcp/reports?search=stacked&sort=oldest');
  await expect(page.locator('a[data-report]')).toHaveCount(4);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  for (const n of [1, 2, 3]) {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`stacked ${n}`);
    await page.keyboard.press('1');
  }
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('stacked 4');
  const tray = trayOf(page).getByRole('link').filter({ visible: true });
  await expect(tray).toHaveText(['stacked 2', 'stacked 3']);
  await page.keyboard.press('u');
  await expect(tray).toHaveText(['stacked 1', 'stacked 2']);
});

test('offline, the panel says so instead of loading for ever, and continues by itself', async ({ browser, post }) => {
  const [seen, unseen] = [await file('member4', { targetId: post.id }), await file('member5', { targetId: post.id })];
  const page = await pageAs(browser, 'moderator');
  await page.goto('/modcp/reports');
  await page.locator(`a[data-report="${seen}"]`).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(post.title);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await page.keyboard.press('b');
  await page.context().setOffline(true);
  await expect(page.getByText('Not live', { exact: true })).toBeVisible();
  await page.locator(`a[data-report="${unseen}"]`).click();
  await expect(page.getByRole('main').getByText('The server cannot be reached.')).toBeVisible({ timeout: 5_000 });
  await page.context().setOffline(false);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(post.title);
});

test('a decision that another account finds in its tab is not sent, and says so', async ({ browser, post }) => {
  const id = await file('member7', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  await decide(page, id);
  expect((await page.request.post(`${core()}/users/sign-out`, { data: {} })).ok()).toBe(true);
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect(trayOf(page)).toContainText('Your session has ended. Sign in again.');
  await page.getByRole('button', { name: /^Administrator/ }).click();
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText(`The decision on “${post.title}” was not sent: it was made by another account.`);
  await expect(trayOf(page)).toHaveCount(0);
  await page.goto(`/modcp/reports/${id}`);
  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  await expect(page.getByRole('radio', { name: /^No violation/ })).not.toBeChecked();
  await expectReport(id, { status: 'new', version: 1 });
});
