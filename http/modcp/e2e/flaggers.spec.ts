import { apiAs, core, file, readReport } from './support/api';
import { axeFaults } from './support/axe';
import { expect, pageAs, test } from './support/test';

// Other tests look at what the account reports.
const marked: string[] = [];
test.afterEach(async () => {
  const admin = await apiAs('admin');
  for (const id of marked.splice(0)) await admin.post(`${core()}/admin/users/${id}/trusted`, { data: { trusted: false } });
});

test('an administrator marks a trusted flagger, whose reports say so and come first, and takes the mark away', async ({ browser, post }) => {
  const before = await file('member6', { targetId: post.id });
  const { reporter } = (await readReport(before)) as unknown as { reporter: { id: string; name: string } };
  marked.push(reporter.id);
  const admin = await pageAs(browser, 'admin');
  await admin.goto('/admin/core/users?search=member6');
  const row = admin.getByRole('row').filter({ hasText: 'member6@demo.test' });
  await row.getByRole('button', { name: `Trusted flagger: ${reporter.name}` }).click();
  const dialog = admin.getByRole('dialog');
  const organisation = dialog.getByRole('textbox', { name: 'Organisation' });
  await expect(organisation).toBeFocused();
  await expect(dialog.getByRole('button', { name: 'Mark as trusted' })).toBeDisabled();
  await organisation.fill('a\u202eb');
  await admin.keyboard.press('Enter');
  await expect(organisation).toHaveAttribute('aria-invalid', 'true');
  await organisation.fill('Hotline of the Consumers');
  expect(await axeFaults(admin, { within: '[role="dialog"]' })).toEqual([]);
  await admin.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(row).toContainText('Hotline of the Consumers');

  const api = await apiAs('moderator');
  await api.post(`${core()}/moderation/reports/${before}/resolve`, { data: { expectedVersion: 1, resolution: 'duplicate' } });
  const id = await file('member6', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  await page.goto(`/modcp/reports/${id}`);
  const reporters = page.getByRole('region', { name: 'Reported by' });
  await expect(reporters.getByText('Trusted flagger', { exact: true })).toBeVisible();
  await expect(reporters.getByText('Hotline of the Consumers')).toBeVisible();
  await page.goto(`/modcp/reports?target=${post.id}`);
  await expect(page.locator(`tr[data-row="${id}"]`).getByText('Trusted flagger', { exact: true })).toBeVisible();
  await page.goto(`/modcp/cases?target=${post.id}`);
  await expect(page.locator('tr[data-row]')).toContainText(/trusted flagger/);

  await row.getByRole('button', { name: /^Trusted flagger/ }).click();
  await expect(organisation).toHaveValue('Hotline of the Consumers');
  await dialog.getByRole('button', { name: 'Take the mark away' }).click();
  await expect(dialog).toBeHidden();
  await expect(row.getByText('Hotline of the Consumers')).toHaveCount(0);
  await page.goto(`/modcp/reports/${id}`);
  await expect(reporters.getByText('Hotline of the Consumers')).toBeVisible();
});
