import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { file } from './support/api';
import { expect, pageAs, test } from './support/test';

test('a scheduled job runs on demand and shows when it ran', async ({ browser }) => {
  const page = await pageAs(browser, 'admin');
  await page.goto('/admin/core/advanced/cron');
  const row = page.getByRole('row').filter({ hasText: 'queue:process' });
  await row.getByRole('button', { name: /^Run now: / }).click();
  await expect(page.getByTestId('announcer')).toContainText('“Queue processing” has run');
  await expect(row.locator('[data-title="Last run"]')).toContainText(/now|second/);
  await expect(page.getByText('The public default secret is in use')).toBeVisible();
});

test('each row of jobs and projections has a name in the language of the page', async ({ browser }) => {
  const page = await pageAs(browser, 'admin', { locale: 'ar' });
  for (const path of ['advanced/cron', 'advanced/projections']) {
    await page.goto(`/admin/core/${path}`);
    const names = page.locator('tbody td:first-child bdi:first-child');
    await expect(names.nth(8)).toBeVisible();
    expect((await names.allTextContents()).filter((name) => !/\p{Script=Arabic}/u.test(name))).toEqual([]);
  }
});

test('the system screen names what is wrong and says what to do; it tells what was signed, verified and backed up, and when', async ({ browser, post }) => {
  const page = await pageAs(browser, 'admin');
  await page.goto('/admin/core/integrations');
  await expect(page.getByText('No cron adapter configured')).toBeVisible();
  await page.goto('/admin/core/system');
  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  await expect(row('CRON_SECRET is the public default')).toContainText('Needs attention');
  await expect(row('The schema is current.')).toContainText('OK');
  const figures = page.locator('dl').filter({ hasText: 'Last backup' });
  await expect(figures).toContainText('Never');

  await file('member6', { targetId: post.id });
  const work = mkdtempSync(join(tmpdir(), 'docket-system-'));
  chmodSync(work, 0o755);
  const env = { ...process.env, DOCKET_DATA_DIR: process.env.E2E_DATA!, DATABASE_URL: '', LOG_LEVEL: 'error' };
  const docket = (...args: string[]) => execFileSync(process.env.E2E_BINARY!, args, { env, stdio: 'pipe' });
  // An event is attested once it has its position, which takes a moment.
  await expect(async () => void docket('audit', 'checkpoint')).toPass();
  docket('audit', 'verify');
  docket('backup', join(work, 'docket.zip'));
  rmSync(work, { recursive: true });
  // An examination is kept for a moment, and one from before the backup may be shown.
  await expect(async () => {
    await page.getByRole('button', { name: 'Check again' }).click();
    for (const words of ['The last backup was made', 'The log is signed, and was verified']) await expect(row(words)).toContainText('OK', { timeout: 5_000 });
  }).toPass();
  await expect(figures).not.toContainText('Never');
  await expect(figures).toContainText('Nothing found');
});

test('a webhook is added with its secret shown once, switched off and deleted', async ({ browser }) => {
  const page = await pageAs(browser, 'admin');
  await page.goto('/admin/core/webhooks');
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await page.getByRole('dialog').getByLabel(/^Address/).fill('https://hooks.example.test/docket');
  await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click();
  await expect(page.getByText('Keep this signing secret now')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  const row = page.getByRole('row').filter({ hasText: 'hooks.example.test/docket' });
  await row.getByRole('switch').click({ force: true });
  await expect(page.getByTestId('announcer')).toContainText('The webhook is off');
  await row.getByRole('button', { name: 'Deliveries' }).click();
  await expect(page.getByText('Nothing was sent yet')).toBeVisible();
  await page.keyboard.press('Escape');
  await row.getByRole('button', { name: 'Delete' }).click();
  const asked = page.getByRole('dialog');
  await expect(asked).toContainText('Its signing secret and the list of its deliveries are deleted too.');
  await asked.getByRole('button', { name: 'Cancel' }).click();
  await expect(asked).toHaveCount(0);
  await expect(row).toBeVisible();
  await row.getByRole('button', { name: 'Delete' }).click();
  await asked.getByRole('button', { name: 'Delete' }).click();
  await expect(row).toHaveCount(0);
});
