import { expect, pageAs, test } from './support/test';

test('a policy is written, published, changed, compared and retired, and guests read what is in force', async ({ browser }) => {
  const key = `bikes-${Date.now()}`;
  const admin = await pageAs(browser, 'admin');
  await admin.goto('/admin/core/policies');
  await admin.getByRole('link', { name: 'New rule' }).click();
  const form = admin.getByRole('form', { name: 'New rule' });
  await form.getByRole('button', { name: 'Publish' }).click();
  await expect(form.getByText('Write a title of 1 to 200 characters.')).toBeVisible();

  await form.getByLabel('Title').fill('Bikes stay outside');
  await expect(form.getByLabel('Key')).toHaveValue('bikes-stay-outside');
  await form.getByLabel('Key').fill(key);
  await form.getByRole('textbox', { name: 'Rule', exact: true }).fill('Leave your bike in the yard.');
  await form.getByRole('textbox', { name: 'Template for reasons' }).fill('Your bike stood in the hall.');
  await form.getByText('Preview', { exact: true }).click();
  await expect(form.getByRole('heading', { name: 'Bikes stay outside' })).toBeVisible();
  await expect(form.getByText('Leave your bike in the yard.')).toBeVisible();

  // A draft survives a reload.
  await admin.reload();
  await expect(admin.getByLabel('Title')).toHaveValue('Bikes stay outside');
  await admin.getByRole('button', { name: 'Publish' }).click();
  const row = admin.getByRole('row', { name: new RegExp(key) });
  await expect(row).toContainText('Leave your bike in the yard.');

  const guest = await pageAs(browser, null);
  await guest.goto(`/rules#${key}`);
  await expect(guest.locator(`#${key}`)).toContainText('Leave your bike in the yard.');
  await expect(guest.locator(`#${key}`)).toBeInViewport();

  await row.getByRole('link', { name: 'Edit “Bikes stay outside”' }).click();
  await expect(admin.getByRole('button', { name: 'Publish version 2' })).toBeDisabled();
  const rule = admin.getByRole('textbox', { name: 'Rule', exact: true });
  await rule.press('Control+End');
  await rule.pressSequentially(' Lock it.');
  await admin.getByRole('button', { name: 'Publish version 2' }).click();
  await expect(admin.getByTestId('announcer')).toContainText('version 2');
  await guest.reload();
  await expect(guest.locator(`#${key}`)).toContainText('Lock it.');

  await row.getByRole('link', { name: 'Edit “Bikes stay outside”' }).click();
  await expect(admin.getByRole('combobox', { name: 'Compare' })).toHaveValue(/^Version 1/);
  await expect(admin.locator('ins')).toContainText('Lock it.');

  await admin.goto('/admin/core/policies');
  await row.getByRole('button', { name: 'Retire “Bikes stay outside”' }).click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Retire' }).click();
  // It stays in the list, and its next version can be published from there.
  await expect(row.getByRole('button', { name: /^Retire/ })).toHaveCount(0);
  await expect(row.getByRole('link', { name: 'Edit “Bikes stay outside”' })).toBeVisible();
  await guest.reload();
  await expect(guest.getByRole('heading', { name: 'Rules' })).toBeVisible();
  await expect(guest.locator(`#${key}`)).toHaveCount(0);
});
