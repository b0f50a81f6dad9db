import { file, forum } from './support/api';
import { startDemo } from './support/server';
import { expect, pageAs, test } from './support/test';

test('a server restarted under an open board: the board says so, comes back and continues', async ({ browser }) => {
  test.setTimeout(240_000);
  const server = await startDemo();
  try {
    const base = server.url;
    const [post, other] = await forum('posts', 2, base);
    const id = await file('member1', { targetId: post!.id }, base);
    const page = await pageAs(browser, 'moderator', { base });
    await page.goto('/modcp/reports');
    await expect(page.locator(`[data-row="${id}"]`)).toBeVisible();
    await expect(page.getByText('Live', { exact: true })).toBeVisible();

    await server.halt();
    await expect(page.getByText('Not live', { exact: true })).toBeVisible();
    await expect(page.locator(`[data-row="${id}"]`)).toBeVisible();

    await server.resume();
    await expect(page.getByText('Live', { exact: true })).toBeVisible({ timeout: 40_000 });
    const later = await file('member2', { targetId: other!.id }, base);
    await page.getByRole('button', { name: /1 new report/ }).click();
    await expect(page.locator('a[data-report]').first()).toHaveAttribute('data-report', later);
    await page.locator(`a[data-report="${id}"]`).click();
    await page.getByRole('button', { name: 'Claim', exact: true }).click();
    await expect(page.getByText('In progress').first()).toBeVisible();
  } finally {
    await server.stop();
  }
});
