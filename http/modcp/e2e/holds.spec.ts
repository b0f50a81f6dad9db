import { apiAs, core, file, unreportedPost } from './support/api';
import { axeFaults } from './support/axe';
import { expect, pageAs, test } from './support/test';

test('a hold is set, keeps an account, and is lifted by somebody else', async ({ browser }) => {
  const reported = await file('member6', { targetId: unreportedPost().id, reason: 'abusive' });
  const admin = await apiAs('admin');
  const people = (await (await admin.get(`${core()}/admin/users?search=member6@demo.test`)).json()) as { edges: { id: string }[] };
  const moderator = (await (await admin.get(`${core()}/admin/users?search=moderator@demo.test`)).json()) as { edges: { id: string }[] };
  const entry = (await (await admin.post(`${core()}/admin/staff/entry/admin`, { data: { userId: moderator.edges[0]!.id } })).json()) as { id: string };
  await admin.patch(`${core()}/admin/staff/entry/admin/${entry.id}`, { data: { permissions: [{ plugin: '@platform/core', module: 'audit', permission: 'can_hold' }] } });

  const page = await pageAs(browser, 'admin');
  await page.goto('/admin/core/holds');
  const form = page.getByRole('form', { name: 'New hold' });
  await expect(form.getByRole('button', { name: 'Set hold' })).toBeDisabled();
  await form.getByRole('textbox', { name: 'Reports' }).fill(`https://docket.test/modcp/reports/${reported}`);
  await expect(form.getByText('1 report is named.')).toBeVisible();
  await form.getByLabel('Legal reason').fill('<img src=x onerror=alert(1)>');
  await form.getByLabel('Reference').fill('4 O 12/26');
  await page.keyboard.press('Enter');
  const row = page.getByRole('row', { name: /4 O 12\/26/ });
  await expect(row.getByText('<img src=x onerror=alert(1)>')).toBeVisible();
  await expect(row.getByText('Somebody else lifts it')).toBeVisible();
  await expect(row.getByRole('link')).toHaveAttribute('href', `/modcp/reports/${reported}`);

  await row.getByRole('link').click();
  const line = page.getByText(/^Its words are under a legal hold until .*: 4 O 12\/26\. Legal holds$/);
  await expect(line).toBeVisible();
  expect(await axeFaults(page)).toEqual([]);
  await page.goBack();

  const refused = await admin.delete(`${core()}/admin/users/${people.edges[0]!.id}`);
  expect(refused.status()).toBe(409);

  const other = await pageAs(browser, 'moderator');
  await other.goto('/admin/core/holds?status=standing');
  await other.getByRole('button', { name: 'Lift the hold 4 O 12/26' }).click();
  await other.getByRole('dialog').getByRole('button', { name: 'Lift', exact: true }).click();
  await expect(other.getByText('No holds')).toBeVisible();
  await page.reload();
  await expect(row.getByText('Lifted', { exact: true })).toBeVisible();
  await row.getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(line).toHaveCount(0);
});
