import type { Page } from '@playwright/test';
import { expect, pageAs, test } from './support/test';

/** Answers as a server with many reports does. */
async function busyServer(page: Page): Promise<void> {
  await page.route('**/moderation/stats*', async (route) => {
    const answer = await route.fetch();
    const stats = (await answer.json()) as { days: object[] };
    const day = new Date().toISOString().slice(0, 10);
    const counts = { opened: 12_345, firstActions: 0, meanSecondsToFirstAction: null, decided: 1_000, upheld: 0, notUpheld: 1_000, duplicate: 0, meanSecondsToDecision: 60 };
    await route.fulfill({ response: answer, json: { ...stats, days: [{ day, ...counts }] } });
  });
}

for (const locale of ['en', 'ar'] as const) {
  test(`the plot shows its axes whole, and the same figures as a table: ${locale}`, async ({ browser }) => {
    const page = await pageAs(browser, 'moderator', { locale, colorScheme: locale === 'ar' ? 'dark' : 'light' });
    await busyServer(page);
    await page.goto('/modcp/dashboard');
    const plot = page.locator('figure svg').first();
    await expect(plot.locator('.recharts-yAxis-tick-labels text').last()).toBeVisible();
    const { left, right } = await plot.evaluate((svg) => svg.getBoundingClientRect());
    const labels = plot.locator('.recharts-cartesian-axis-tick-value');
    const cut = () => labels.evaluateAll((texts, [from, to]) => texts.filter((text) => text.getBoundingClientRect().left < from || text.getBoundingClientRect().right > to).map((text) => text.textContent), [left, right] as const);
    await expect.poll(cut).toEqual([]);
    expect(await labels.count()).toBeGreaterThan(8);

    const greatest = plot.locator('.recharts-yAxis-tick-labels text').last();
    const { x } = (await greatest.boundingBox())!;
    expect(locale === 'ar' ? x > right - 100 : x < left + 100).toBe(true);
    if (locale === 'en') await expect(greatest).toHaveText(/^1\d,000$/);

    const rows = page.getByRole('table').first().getByRole('row');
    await expect(rows).toHaveCount(15);
    if (locale === 'en') await expect(rows.last().getByRole('cell')).toHaveText(['12,345', '1,000']);
  });
}
