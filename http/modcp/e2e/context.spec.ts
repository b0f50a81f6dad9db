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

for (const [scheme, locale, width] of [['light', 'en', 1280], ['dark', 'ar', 390]] as const) {
  test(`a report shows what stands around its content: ${scheme}, ${locale}, ${width}`, async ({ browser }) => {
    const [before, reported] = thread([`the one before in ${locale}`, `the one reported in ${locale}`, `the one after in ${locale}`]);
    sql(`UPDATE forum_posts SET hidden_at = now() WHERE id = ${before}`);
    const id = await file('member2', { targetId: reported! });
    const page = await pageAs(browser, 'moderator', { colorScheme: scheme, locale, width });
    await page.goto(`/modcp/reports/${id}`);
    const summary = page.locator('summary').filter({ hasText: locale === 'en' ? /^Context \(/ : /^السياق \(/ });
    await expect(summary).toBeVisible();
    const items = summary.locator('xpath=..').getByRole('listitem');
    // A phone begins with the evidence alone.
    if (width === 390) {
      await expect(items.first()).toBeHidden();
      await summary.click();
    }
    const target = items.and(page.locator('[aria-current="true"]'));
    await expect(target).toHaveCount(1);
    await expect(target).toContainText(`Words of the one reported in ${locale}.`);
    const texts = await items.allInnerTexts();
    const at = (words: string) => texts.findIndex((text) => text.includes(words));
    expect(at(`Words of the one before in ${locale}.`)).toBe(at(`Words of the one reported in ${locale}.`) - 1);
    expect(at(`Words of the one after in ${locale}.`)).toBe(at(`Words of the one reported in ${locale}.`) + 1);
    if (locale === 'en') {
      expect(texts[0]).toContain('In reply to');
      expect(texts[at(`Words of the one before in ${locale}.`)]).toContain('Hidden');
    }
    expect(await axeFaults(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  });
}

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
