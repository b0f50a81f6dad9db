import { apiAs, core, file, unreportedPost } from './support/api';
import { axeFaults } from './support/axe';
import { expect, pageAs, test } from './support/test';

test('a rule says something to the EU’s database, and the decision shows its statement before it is made', async ({ browser }) => {
  const key = `ads-${Date.now()}`;
  const page = await pageAs(browser, 'admin');
  await page.goto('/admin/core/policies/new');
  await page.getByLabel('Title').fill(`No ads ${key}`);
  await page.getByLabel('Key').fill(key);
  await page.getByRole('textbox', { name: 'Rule', exact: true }).fill('Do not advertise.');
  await page.getByLabel('Send statements to the EU’s transparency database').check({ force: true });
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByText('Choose a category.')).toBeVisible();
  await page.getByRole('combobox', { name: 'Category' }).fill('scams');
  await page.getByRole('option', { name: 'Scams and fraud' }).click();
  expect(await axeFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page).toHaveURL(/policies$/);

  const post = unreportedPost();
  const reported = await file('member5', { targetId: post.id, reason: 'spam' });
  const admin = await apiAs('admin');
  const moderator = await apiAs('moderator');
  const policy = { key, version: 1 };
  const preview = await moderator.post(`${core()}/moderation/reports/${reported}/statement`, { data: { policy, actions: ['hide'] } });
  expect(((await preview.json()) as { statement: { category: string } }).statement.category).toBe('STATEMENT_CATEGORY_SCAMS_AND_FRAUD');

  const work = await pageAs(browser, 'moderator');
  await work.goto(`/modcp/reports/${reported}`);
  await work.getByRole('button', { name: 'Resolve' }).first().click();
  await work.getByText('Action taken', { exact: true }).click();
  await work.getByRole('combobox', { name: 'Rule' }).click();
  await work.getByRole('option', { name: new RegExp(key) }).click();
  await work.getByText('Hide content', { exact: true }).first().click();
  await work.getByRole('button', { name: 'What the author will read' }).click();
  const dialog = work.getByRole('dialog');
  await expect(dialog.getByText('Statement to the EU’s transparency database')).toBeVisible();
  await expect(dialog.getByText('DECISION_VISIBILITY_CONTENT_DISABLED')).toBeVisible();

  await page.goto('/admin/core/statements');
  await expect(page.getByText('None are sent')).toBeVisible();
  await admin.post(`${core()}/admin/policies/${key}/retire`);
});
