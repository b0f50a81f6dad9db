import { file } from './support/api';
import { expect, pageAs, test } from './support/test';

test('a screen that breaks says so in a sentence, keeps drafts and can be left', async ({ browser, post }) => {
  const id = await file('member6', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  const told: string[] = [];
  page.on('console', (message) => message.type() === 'error' && told.push(message.text()));
  await page.goto(`/modcp/reports/${id}`);
  await page.getByRole('textbox', { name: 'Note' }).fill('my careful words');

  // An answer that no server of this release gives.
  await page.route(`**/moderation/reports/${id}`, (route) => route.fulfill({ json: { id, version: 1, moves: null } }));
  await page.reload();
  const alert = page.locator('main').getByRole('alert');
  await expect(alert).toContainText('This screen has stopped working');
  await expect(page.locator('main')).not.toContainText(/TypeError|undefined|null|not a function/);
  expect(told.join('\n')).toContain('TypeError');

  await page.getByRole('navigation').getByRole('link', { name: 'Reports' }).click();
  await expect(page.getByRole('heading', { name: 'Cases' })).toBeVisible();
  await page.goBack();
  await expect(alert).toBeVisible();

  await page.unroute(`**/moderation/reports/${id}`);
  await alert.getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByRole('textbox', { name: 'Note' })).toHaveValue('my careful words');
});

test('a screen whose code finds no server says so, and its reload leaves nothing before there is one', async ({ browser }) => {
  const page = await pageAs(browser, 'moderator', { own: true });
  await page.goto('/modcp/reports');
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Measures' }).click();
  const alert = page.locator('main').getByRole('alert');
  await expect(alert).toContainText('The server cannot be reached');
  await alert.getByRole('button', { name: 'Reload' }).click();
  await expect(alert).toContainText('The server cannot be reached');
  await page.context().setOffline(false);
  await alert.getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByRole('heading', { name: 'Measures' })).toBeVisible();
});

test('requests that are expected to be refused are not made', async ({ browser }) => {
  for (const [as, path] of [[null, '/'], [null, '/modcp/reports'], ['member1', '/modcp/dashboard'], ['member1', '/admin/core/staff/moderators']] as const) {
    const page = await pageAs(browser, as);
    const told: string[] = [];
    page.on('console', (message) => message.type() === 'error' && told.push(`${message.text()} ${message.location().url}`));
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('[data-loading]')).toHaveCount(0);
    expect(told, `${path} as ${as}`).toEqual([]);
  }
});
