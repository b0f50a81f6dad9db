import { core, file, password } from './support/api';
import { expect, pageAs, test } from './support/test';

test('the words of abusive content wait for their reader, and lighter cases are offered after grave ones', async ({ browser, post }) => {
  const id = await file('member4', { targetId: post.id, reason: 'abusive', description: 'An insult to everybody.' });
  const page = await pageAs(browser, 'moderator');
  await page.goto('/account');
  const care = page.getByRole('region', { name: 'Looking after yourself' });
  await care.getByLabel('Blur the words of abusive content at first').check();
  await care.getByLabel('Offer lighter cases after this many abusive cases a day').fill('1');

  await page.goto(`/modcp/reports/${id}`);
  const evidence = page.getByRole('region', { name: 'As it was reported' });
  const words = evidence.locator('[inert]');
  await expect(words).toHaveCSS('filter', /blur/);
  await evidence.getByRole('button', { name: 'Show the words' }).click();
  await expect(words).toHaveCount(0);

  await page.keyboard.press('1');
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect(page.getByRole('button', { name: 'Reopen' })).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('n');
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText(/You have decided .*1.* abusive case today/);
  await page.getByRole('button', { name: 'Lighter cases first' }).click();
  await page.goto('/account');
  await expect(page.getByLabel('Lighter cases first, today')).toBeChecked();

  // A colleague at the same browser has settings and figures of their own.
  expect((await page.request.post(`${core()}/users/sign-in`, { data: { email: 'admin@demo.test', password } })).ok()).toBe(true);
  await page.reload();
  await expect(page.getByLabel('Lighter cases first, today')).not.toBeChecked();
  await expect(page.getByLabel('Blur the words of abusive content at first')).not.toBeChecked();
});
