import { decideOnce, drawn } from './support/seconds';
import { startDemo, type Demo } from './support/server';
import { expect, pageAs, test } from './support/test';

// What waits and is counted here must be of this test alone.
let server: Demo;
let before: Record<string, string | undefined>;

test.beforeAll(async () => {
  server = await startDemo();
  before = { E2E_URL: process.env.E2E_URL, E2E_DATA: process.env.E2E_DATA };
  Object.assign(process.env, { E2E_URL: server.url, E2E_DATA: server.data });
});

test.afterAll(async () => {
  Object.assign(process.env, before);
  await server.stop();
});

test('a decision is decided again by somebody who does not know it, and the dispute is settled', async ({ browser }) => {
  const admin = await pageAs(browser, 'admin', { base: server.url });
  await admin.goto('/modcp/dashboard');
  await expect(admin.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
  const entry = admin.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Opinions' });
  await admin.goto('/admin/core/quality');
  await admin.getByLabel('Decisions to decide again, in percent').fill('100');
  await admin.getByRole('button', { name: 'Save' }).click();
  await expect(admin.getByRole('table', { name: 'Settings over time' }).getByRole('row').nth(1)).toContainText('100');
  await expect(entry).toBeVisible();
  const report = await decideOnce();
  await drawn(report);

  const again = await pageAs(browser, 'scoped', { base: server.url });
  await again.goto('/modcp/seconds');
  await again.getByRole('button', { name: 'Give a second opinion' }).click();
  await expect(again.getByText('Words of the reporter.')).toBeVisible();
  await expect(again.getByText('Mo Moderator')).toBeHidden();
  await expect(again.locator('[data-verdict="1"]')).toBeVisible();
  await again.keyboard.press('1');
  await expect(again.getByRole('radio', { name: 'No violation' })).toBeChecked();
  await again.keyboard.press('Enter');
  await expect(again.getByText('You disagree with the first decision.')).toBeVisible();
  await expect(again.locator('dl').getByText('Mo Moderator')).toBeVisible();
  await again.keyboard.press('Enter');
  await expect(again.getByText('Nothing waits for your second opinion.')).toBeVisible();

  await admin.goto('/modcp/seconds');
  await admin.getByRole('button', { name: /^Settle “Decided again/ }).click();
  const dialog = admin.getByRole('dialog');
  await dialog.getByText('It was wrong').click();
  await dialog.getByRole('checkbox', { name: 'Reopen the report' }).check();
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('It breaks no rule.');
  await admin.keyboard.press('Control+Enter');
  await expect(admin.getByRole('region', { name: 'Messages' }).getByText('The dispute is settled.')).toBeVisible();
  await admin.getByRole('link', { name: 'Settled' }).click();
  await expect(admin.getByRole('row', { name: /Decided again/ })).toContainText('It breaks no rule.');

  const first = await pageAs(browser, 'moderator', { base: server.url });
  await first.goto('/modcp/dashboard');
  await expect(first.getByText('0 of 1')).toBeVisible();
  await expect(first.getByText('Kappa needs 30 decisions')).toBeVisible();
  await first.goto(`/modcp/reports/${report}`);
  await expect(first.getByText('settled the dispute: the first decision was wrong')).toBeVisible();
});
