import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { file, forum } from './support/api';
import { startServer } from './support/server';
import { expect, pageAs, test } from './support/test';

test('a server restarted under an open board: the board says so, comes back and continues', async ({ browser }) => {
  test.setTimeout(240_000);
  const work = mkdtempSync(join(tmpdir(), 'docket-restart-'));
  chmodSync(work, 0o755);
  const data = join(work, 'data');
  let server = await startServer(process.env.E2E_BINARY!, data);
  try {
    const base = server.url;
    const [post, other] = await forum('posts', 2, base);
    const id = await file('member1', { targetId: post!.id }, base);
    const page = await pageAs(browser, 'moderator', { base });
    await page.goto('/modcp/reports');
    await expect(page.locator(`[data-row="${id}"]`)).toBeVisible();
    await expect(page.getByText('Live', { exact: true })).toBeVisible();

    await server.stop();
    await expect(page.getByText('Not live', { exact: true })).toBeVisible();
    await expect(page.locator(`[data-row="${id}"]`)).toBeVisible();

    server = await startServer(process.env.E2E_BINARY!, data, new URL(base).host);
    await expect(page.getByText('Live', { exact: true })).toBeVisible({ timeout: 40_000 });
    const later = await file('member2', { targetId: other!.id }, base);
    await page.getByRole('button', { name: /1 new report/ }).click();
    await expect(page.locator('a[data-report]').first()).toHaveAttribute('data-report', later);
    await page.locator(`a[data-report="${id}"]`).click();
    await page.getByRole('button', { name: 'Claim', exact: true }).click();
    await expect(page.getByText('In progress').first()).toBeVisible();
  } finally {
    await server.stop();
    rmSync(work, { recursive: true, force: true });
  }
});
