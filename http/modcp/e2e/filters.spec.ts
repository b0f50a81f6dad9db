import { expectCases, file } from './support/api';
import { sql } from './support/sql';
import { expect, pageAs, test } from './support/test';

/** Makes a post of an author, in a language. */
const postBy = (author: string, title: string, locale = 'en') =>
  sql(`INSERT INTO forum_posts (topic_id, category_id, author_id, title, body, locale, updated_at, published_at)
    SELECT topic_id, category_id, (SELECT id FROM core_users WHERE email = '${author}@demo.test'), '${title}', body, '${locale}', now(), now()
    FROM forum_posts ORDER BY id LIMIT 1 RETURNING id`);

for (const view of ['reports', 'cases'] as const) {
  test(`the author in a row narrows the list to what is theirs, and a language to its content: ${view}`, async ({ browser }) => {
    const titles = { hers: `Hers among ${view}`, other: `Theirs among ${view}`, arabic: `Arabic among ${view}` };
    await file('member3', { targetId: postBy('member1', titles.hers) });
    await file('member3', { targetId: postBy('member2', titles.other) });
    await file('member3', { targetId: postBy('member1', titles.arabic, 'ar') });
    await expectCases(`among+${view}`, 3);
    const author = sql(`SELECT name FROM core_users WHERE email = 'member1@demo.test'`);
    const page = await pageAs(browser, 'moderator');
    await page.goto(`/modcp/${view}?search=among+${view}`);
    const rows = page.locator('[data-row]');
    const row = (title: string) => rows.filter({ hasText: title });
    await expect(rows).toHaveCount(3);
    await row(titles.hers).getByRole('link', { name: `Only content by ${author}` }).click();
    await expect(rows).toHaveCount(2);
    await expect(row(titles.other)).toHaveCount(0);
    expect(new URL(page.url()).searchParams.get('author')).toMatch(/^forum:/);
    await expect(page).toHaveURL(new RegExp(`/modcp/${view}\\?`));

    await page.getByRole('textbox', { name: 'Language, such as ar' }).fill('ar');
    await expect(rows).toHaveCount(1);
    await expect(row(titles.arabic)).toBeVisible();
    await page.reload();
    await expect(row(titles.arabic)).toBeVisible();
    await page.getByRole('button', { name: 'One author' }).click();
    await page.getByRole('textbox', { name: 'Language, such as ar' }).fill('');
    await expect(rows).toHaveCount(3);
  });
}

test('what a row shows finds it: a word of its text, and the name of its author', async ({ browser }) => {
  const id = postBy('member1', 'Something to find');
  sql(`UPDATE forum_posts SET body = '<p>Nobody else writes quagmires.</p>' WHERE id = ${id}`);
  await file('member4', { targetId: id });
  const page = await pageAs(browser, 'moderator');
  for (const view of ['reports', 'cases']) {
    await page.goto(`/modcp/${view}`);
    await page.getByRole('searchbox').fill('quagmires');
    const row = page.locator('[data-row]');
    await expect(row).toHaveCount(1);
    await expect(row).toContainText('quagmires');
    await page.getByRole('searchbox').fill(`${sql(`SELECT name FROM core_users WHERE email = 'member1@demo.test'`)} quagmires`);
    await expect(page).toHaveURL(/search=.*quagmires/);
    await expect(row).toHaveCount(1);
  }
});

for (const view of ['reports', 'cases'] as const) {
  test(`the filters stand in one row, with something to clear too: ${view}`, async ({ browser }) => {
    await file('member4', { targetId: postBy('member1', `One row among ${view}`) });
    const author = sql(`SELECT id FROM core_users WHERE email = 'member1@demo.test'`);
    const page = await pageAs(browser, 'moderator');
    for (const query of ['', `?reason=spam&locale=en&author=${encodeURIComponent(`forum:${author}`)}`]) {
      await page.goto(`/modcp/${view}${query}`);
      await expect(page.locator('[data-row]').first()).toBeVisible();
      await expect(page.getByRole('button', { name: 'Clear filters' })).toHaveCount(query === '' ? 0 : 1);
      const boxes = await page.getByRole('searchbox').locator('xpath=ancestor::div[3]').locator('input:visible, select:visible, button:visible').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect));
      expect(boxes.length).toBeGreaterThan(6);
      const middles = boxes.map(({ top, bottom }) => (top + bottom) / 2);
      expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(12);
      expect(Math.max(...boxes.map(({ right }) => right))).toBeLessThanOrEqual(1280);
    }
  });
}
