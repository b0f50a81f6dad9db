import { expectCases, file } from './support/api';
import { sql } from './support/sql';
import { expect, pageAs, test } from './support/test';

/** Makes a post of an author, in a language. */
const postBy = (author: string, title: string, locale = 'en') =>
  sql(`INSERT INTO forum_posts (topic_id, category_id, author_id, title, body, locale, updated_at, published_at)
    SELECT topic_id, category_id, (SELECT id FROM core_users WHERE email = '${author}@demo.test'), '${title}', body, '${locale}', now(), now()
    FROM forum_posts ORDER BY id LIMIT 1 RETURNING id`);

for (const view of ['reports', 'cases'] as const) {
  test(`the author in a row narrows the list to what is theirs, and a language to its content, in one row of filters: ${view}`, async ({ browser }) => {
    const titles = { hers: `Hers among ${view}`, other: `Theirs among ${view}`, arabic: `Arabic among ${view}` };
    await file('member3', { targetId: postBy('member1', titles.hers) });
    await file('member3', { targetId: postBy('member2', titles.other) });
    await file('member3', { targetId: postBy('member1', titles.arabic, 'ar') });
    await expectCases(`among+${view}`, 3);
    const author = sql(`SELECT name FROM core_users WHERE email = 'member1@demo.test'`);
    const page = await pageAs(browser, 'moderator');
    await page.goto(`/modcp/${view}?search=among+${view}`);
    const rows = page.locator('[data-row]');
    const inOneRow = async () => {
      const boxes = await page.getByRole('searchbox').locator('xpath=ancestor::div[3]').locator('input:visible, select:visible, button:visible').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect));
      expect(boxes.length).toBeGreaterThan(6);
      const middles = boxes.map(({ top, bottom }) => (top + bottom) / 2);
      expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(12);
      expect(Math.max(...boxes.map(({ right }) => right))).toBeLessThanOrEqual(1280);
    };
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
    await expect(page.getByRole('button', { name: 'Clear filters' })).toBeVisible();
    await inOneRow();
    await page.getByRole('button', { name: 'One author' }).click();
    await page.getByRole('textbox', { name: 'Language, such as ar' }).fill('');
    await expect(rows).toHaveCount(3);
    await page.getByRole('searchbox').fill('');
    await expect(page.getByRole('button', { name: 'Clear filters' })).toHaveCount(0);
    await inOneRow();
  });
}
