import type { Page } from '@playwright/test';
import { file } from './support/api';
import { axeFaults } from './support/axe';
import { sql } from './support/sql';
import { expect, pageAs, test } from './support/test';

/** Makes posts of one topic, one after the other. */
const thread = (titles: readonly string[]) =>
  titles.map((title) =>
    sql(`INSERT INTO forum_posts (topic_id, category_id, author_id, title, body, locale, updated_at, published_at)
      SELECT topic_id, category_id, author_id, '${title}', '<p>Words of ${title}.</p>', locale, now(), now() FROM forum_posts ORDER BY id LIMIT 1 RETURNING id`),
  );

test('a report shows what stands around its content, and on a phone, in the dark and from the right, once it is asked for', async ({ browser }) => {
  const [before, reported] = thread(['the one before', 'the one reported', 'the one after']);
  sql(`UPDATE forum_posts SET hidden_at = now() WHERE id = ${before}`);
  const id = await file('member2', { targetId: reported! });
  const page = await pageAs(browser, 'moderator');
  await page.goto(`/modcp/reports/${id}`);
  const context = (of: Page) => of.locator('details').filter({ has: of.locator('summary', { hasText: /^(Context|السياق) \(/ }) });
  const items = context(page).getByRole('listitem');
  const target = items.and(page.locator('[aria-current="true"]'));
  await expect(target).toHaveCount(1);
  await expect(target).toContainText('Words of the one reported.');
  const texts = await items.allInnerTexts();
  const at = (words: string) => texts.findIndex((text) => text.includes(words));
  expect(at('Words of the one before.')).toBe(at('Words of the one reported.') - 1);
  expect(at('Words of the one after.')).toBe(at('Words of the one reported.') + 1);
  expect(texts[0]).toContain('In reply to');
  expect(texts[at('Words of the one before.')]).toContain('Hidden');
  expect(await axeFaults(page)).toEqual([]);

  const phone = await pageAs(browser, 'moderator', { colorScheme: 'dark', locale: 'ar', width: 390 });
  await phone.goto(`/modcp/reports/${id}`);
  const first = context(phone).getByRole('listitem').first();
  await expect(context(phone).locator('summary')).toBeVisible();
  await expect(first).toBeHidden();
  await context(phone).locator('summary').click();
  await expect(first).toBeVisible();
  expect(await axeFaults(phone)).toEqual([]);
  expect(await phone.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});

test('a platform that cannot tell the context is asked again on request, and holds nothing up', async ({ browser, post }) => {
  const id = await file('member3', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  await page.route('**/context', (route) => route.fulfill({ status: 503, json: { error: 'unavailable', message: '' } }));
  await page.goto(`/modcp/reports/${id}`);
  const failed = page.getByText('The context cannot be read at the moment.');
  await expect(failed).toBeVisible();
  await expect(page.locator('[data-verdict="1"]')).toBeEnabled();
  await page.unroute('**/context');
  await failed.getByRole('button', { name: 'Try again' }).click();
  await expect(page.locator('summary').filter({ hasText: /^Context \(/ })).toBeVisible();
});
