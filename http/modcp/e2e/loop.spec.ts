import type { Route } from '@playwright/test';
import { expectReport, file } from './support/api';
import { expect, pageAs, test } from './support/test';

test('a member files on the demo site; a moderator claims, notes, hides, resolves and reopens', async ({ browser, post }) => {
  const member = await pageAs(browser, null);
  await member.goto(`/forum/posts/${post.id}`);
  await member.getByRole('button', { name: /^Report/ }).click();
  await member.getByRole('button', { name: /^Member/ }).click();
  await expect(member.getByRole('heading', { level: 1 })).toHaveText(post.title);
  await member.getByRole('button', { name: /^Report/ }).click();
  await member.getByRole('radio', { name: /^Other/ }).check();
  const send = member.getByRole('button', { name: 'Send report' });
  await expect(send).toBeDisabled();
  await member.getByLabel(/^Details/).fill('This reads like an advertisement to me.');
  await send.click();
  await expect(member.getByTestId('announcer')).toContainText('Thank you');

  const moderator = await pageAs(browser, 'moderator');
  await moderator.goto('/modcp/reports');
  await moderator.locator('a[data-report]').first().click();
  await expect(moderator.getByText('This reads like an advertisement to me.')).toBeVisible();
  const id = moderator.url().match(/reports\/([0-9a-f-]+)/)![1]!;

  await moderator.getByRole('button', { name: 'Claim', exact: true }).click();
  await expect(moderator.getByText('In progress').first()).toBeVisible();

  await moderator.getByRole('textbox', { name: 'Note' }).fill('Looked at the author: a new account.');
  await moderator.getByRole('button', { name: 'Add note' }).click();
  await expect(moderator.getByText('Looked at the author: a new account.')).toBeVisible();

  await moderator.getByRole('button', { name: 'Hide content' }).click();
  await expect(moderator.getByText('Only moderators can see it.')).toBeVisible();
  await member.reload();
  await expect(member.getByText('This content is not here')).toBeVisible();

  await moderator.getByRole('button', { name: 'Resolve', exact: true }).click();
  await moderator.getByRole('radio', { name: /^Action taken/ }).click();
  await moderator.getByLabel('Explanation', { exact: true }).fill('Advertising is not welcome.');
  await moderator.getByRole('button', { name: 'Resolve report' }).click();
  await moderator.getByRole('button', { name: 'Send now' }).click();
  await expect(moderator.getByText('Advertising is not welcome.').first()).toBeVisible();
  await expectReport(id, { status: 'done', resolution: 'action_taken' });

  await moderator.getByRole('button', { name: 'Reopen' }).click();
  await moderator.getByLabel(/Why is it reopened/).fill('The author objected.');
  await moderator.getByRole('form', { name: 'Reopen' }).getByRole('button', { name: 'Reopen' }).click();
  await expect(moderator.getByRole('form', { name: 'Reopen' })).toBeHidden();
  await expect(moderator.getByText('The author objected.')).toBeVisible();
  await expectReport(id, { status: 'in_progress' });

  await moderator.getByRole('button', { name: 'Restore content' }).click();
  await expect(moderator.getByText('Everybody can see it.')).toBeVisible();
});

test('signing out first sends a decision that waits to be undone, and stays where it is refused', async ({ browser, post }) => {
  const id = await file('member2', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  const resolve = async () => {
    await page.goto(`/modcp/reports/${id}`);
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    await page.getByRole('radio', { name: /^No violation/ }).check();
    await page.getByRole('button', { name: 'Resolve report' }).click();
    await expect(page.getByRole('button', { name: 'Send now' })).toBeVisible();
  };
  const signOut = async () => {
    await page.getByRole('button', { name: 'Account and settings' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
  };
  const refused = (route: Route) => route.fulfill({ status: 503, json: { error: 'unavailable', message: 'Try again later.' } });
  await page.route('**/resolve', refused);
  await resolve();
  await signOut();
  await expect(page.getByRole('button', { name: 'Send now' })).toBeHidden();
  await expect(page).toHaveURL(/\/modcp\/reports\//);

  await page.unroute('**/resolve', refused);
  await resolve();
  await signOut();
  await expect(page).toHaveURL(/\/sign-in/);
  await expectReport(id, { status: 'done', resolution: 'no_violation' });
});

test('a note that finds no server keeps its field; it is written rich, edited and deleted', async ({ browser, post }) => {
  const id = await file('member2', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  await page.goto(`/modcp/reports/${id}`);
  const field = page.getByRole('textbox', { name: 'Note' });
  await field.fill('first');
  await page.route('**/notes', (route) => route.abort());
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText('The server cannot be reached.');
  await page.keyboard.type(' words');
  await expect(field).toHaveValue('first words');
  await page.unroute('**/notes');
  await page.getByText('Rich', { exact: true }).click();
  const editor = page.locator('[contenteditable="true"]');
  await expect(editor).toHaveText('first words');
  await editor.press('Control+a');
  await page.getByRole('button', { name: 'Bold' }).click();
  await page.getByRole('button', { name: 'Add note' }).click();
  await expect(page.locator('ol strong', { hasText: 'first words' })).toBeVisible();

  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const second = page.locator('ol [contenteditable="true"]');
  await second.press('Control+End');
  await second.pressSequentially(' and more');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.locator('ol strong', { hasText: 'first words and more' })).toBeVisible();
  await expect(page.getByText(/^Edited/)).toBeVisible();

  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('This note was deleted.')).toBeVisible();
});
