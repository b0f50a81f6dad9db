import type { Page } from '@playwright/test';
import { expect, pageAs, test } from './support/test';

/** Answers as a server with many reports does. */
async function busyServer(page: Page): Promise<void> {
  await page.route('**/moderation/stats*', async (route) => {
    const answer = await route.fetch();
    const stats = (await answer.json()) as { days: object[]; total: object };
    const day = new Date().toISOString().slice(0, 10);
    const counts = { opened: 12_345, firstActions: 0, meanSecondsToFirstAction: null, decided: 1_000, upheld: 0, notUpheld: 1_000, duplicate: 0, meanSecondsToDecision: 60, deadlinesKept: 1_200, deadlinesMissed: 34, appealsOpened: 9, appealsUpheld: 3, appealsOverturned: 1 };
    const policies = [
      { policy: 'no-shops', reported: 900, decided: 800, meanSecondsToDecision: 3_600, appealsOpened: 9, appealsUpheld: 3, appealsOverturned: 1, meanSecondsToAppealDecision: 60, reversalRate: 0.25 },
      { policy: 'be-kind', reported: 21, decided: 20, meanSecondsToDecision: null, appealsOpened: 0, appealsUpheld: 0, appealsOverturned: 0, meanSecondsToAppealDecision: null, reversalRate: null },
    ];
    await route.fulfill({ response: answer, json: { ...stats, days: [{ day, ...counts }], total: { ...stats.total, ...counts }, policies } });
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

    // The same of deadlines and appeals; what rules led to is a table for everybody.
    await expect(page.locator('figure')).toHaveCount(4);
    if (locale === 'en') {
      const lastOf = (name: string) => page.getByRole('table', { name }).getByRole('row').last().getByRole('cell');
      await expect(lastOf('Deadlines kept and missed by day')).toHaveText(['1,200', '34']);
      await expect(page.getByText('In the last 30 days: 1,200 kept, 34 missed.')).toBeVisible();
      await expect(lastOf('Appeals')).toHaveText(['9', '3', '1']);
      const rules = page.getByRole('table', { name: 'Decisions by rule' }).getByRole('row');
      await expect(rules.nth(1).getByRole('cell')).toHaveText(['900', '800', /1.*h/, '9', '3', '1', '25%']);
      await expect(rules.nth(2).getByRole('cell')).toHaveText(['21', '20', '–', '0', '0', '0', '–']);
    }
  });
}
