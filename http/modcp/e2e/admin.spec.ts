import { file } from './support/api';
import { expect, pageAs, test } from './support/test';

test('a scheduled job runs on demand and shows when it ran', async ({ browser }) => {
  const page = await pageAs(browser, 'admin');
  await page.goto('/admin/core/advanced/cron');
  const row = page.getByRole('row').filter({ hasText: 'queue:process' });
  await row.getByRole('button', { name: /Run .* now/ }).click();
  await expect(page.getByTestId('announcer')).toContainText('has run');
  await expect(row.locator('[data-title="Last Run"]')).toContainText(/now|second/);
  await expect(page.getByText('The public default secret is in use')).toBeVisible();
});

test('integrations say that no cron adapter is configured', async ({ browser }) => {
  const page = await pageAs(browser, 'admin');
  await page.goto('/admin/core/integrations');
  await expect(page.getByText('No cron adapter configured')).toBeVisible();
});

test('the dashboard counts what was filed', async ({ browser, post }) => {
  await file('member7', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  await page.goto('/modcp/dashboard');
  await expect(page.getByText('Waiting for somebody')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Opened and decided by day' })).toBeVisible();
});

test('a report is replayed event by event', async ({ browser, post }) => {
  const id = await file('member8', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  await page.goto(`/modcp/reports/${id}`);
  await page.getByRole('button', { name: 'Claim' }).click();
  await expect(page.getByText('In progress').first()).toBeVisible();
  await page.getByRole('button', { name: 'Replay the history' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Mo Moderator took the report')).toBeVisible();
  await expect(dialog.getByText('In progress')).toBeVisible();
  await dialog.getByRole('slider').press('ArrowLeft');
  await expect(dialog.getByText('Event 1 of 2')).toBeVisible();
  await expect(dialog.getByText('New')).toBeVisible();
});
