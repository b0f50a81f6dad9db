import { expectCases, file } from './support/api';
import { axeFaults } from './support/axe';
import { sql } from './support/sql';
import { expect, pageAs, test } from './support/test';

/** Files reports on two posts of their own, found by a word. */
async function two(word: string): Promise<void> {
  for (const n of [1, 2]) {
    const post = sql(`INSERT INTO forum_posts (topic_id, category_id, author_id, title, body, locale, updated_at, published_at)
      SELECT topic_id, category_id, author_id, '${word} ${n}', '<p>Text ${n} of ${word}.</p>', locale, now(), now() FROM forum_posts ORDER BY id LIMIT 1 RETURNING id`);
    await file('member6', { targetId: post });
  }
  await expectCases(word, 2);
}

for (const [view, locale, colorScheme] of [['cases', 'ar', 'dark'], ['reports', 'en', 'light']] as const) {
  test(`v opens a row beside its list, which stays until v is pressed again: ${view}, ${locale}, ${colorScheme}`, async ({ browser }) => {
    const word = `splitof${view}`;
    await two(word);
    const page = await pageAs(browser, 'moderator', { width: 1600, locale, colorScheme });
    await page.goto(`/modcp/${view}?search=${word}`);
    await expect(page.locator('[data-row]')).toHaveCount(2);
    await page.keyboard.press('j');
    await page.keyboard.press('v');
    const list = page.getByRole('navigation', { name: locale === 'en' ? 'The list' : 'القائمة', exact: true });
    const rows = list.getByRole('link');
    await expect(rows).toHaveCount(2);
    await expect(rows.nth(0)).toHaveAttribute('aria-current', 'page');
    await expect(page.locator('[data-verdict="1"]')).toBeVisible();
    expect(await axeFaults(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await rows.nth(1).click();
    await expect(rows.nth(1)).toHaveAttribute('aria-current', 'page');
    const title = (await rows.nth(1).innerText()).includes(`${word} 1`) ? `${word} 1` : `${word} 2`;
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    await page.keyboard.press('k');
    await expect(rows.nth(0)).toHaveAttribute('aria-current', 'page');

    // It is remembered, read anew where no list was open, and left out where it does not fit.
    await page.reload();
    await expect(rows).toHaveCount(2);
    await page.setViewportSize({ width: 1280, height: 900 });
    await expect(list).toBeHidden();
    await page.keyboard.press('v');
    await page.setViewportSize({ width: 1600, height: 900 });
    await expect(list).toBeVisible();
    await page.keyboard.press('v');
    await expect(list).toHaveCount(0);
    await expect(page.locator('[data-verdict="1"]')).toBeVisible();
    await page.reload();
    await expect(page.locator('[data-verdict="1"]')).toBeVisible();
    await expect(list).toHaveCount(0);
  });
}
