import type { Page } from '@playwright/test';
import { apiAs, core, expectReport, file, readReport } from './support/api';
import { publishedPolicy } from './support/screens';
import { expect, pageAs, test } from './support/test';

/** Opens a report and its form for a decision, by keyboard. */
async function deciding(page: Page, id: string): Promise<void> {
  await page.goto(`/modcp/reports/${id}`);
  await expect(page.getByRole('button', { name: 'Resolve', exact: true })).toBeVisible();
  await page.keyboard.press('r');
  await expect(page.getByRole('radio', { name: /^No violation/ })).toBeFocused();
}

async function asAdmin(id: string, command: string, data: object = {}): Promise<void> {
  const answer = await (await apiAs('admin')).post(`${core()}/moderation/reports/${id}/${command}`, { data: { expectedVersion: (await readReport(id)).version, ...data } });
  expect(answer.ok()).toBe(true);
}

test('Enter in the field of the rule chooses the rule, and sends nothing', async ({ browser, post }) => {
  await publishedPolicy();
  const id = await file('member2', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  await deciding(page, id);
  await page.keyboard.press('ArrowDown');
  const rule = page.getByRole('combobox', { name: 'Rule' });
  await expect(rule).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(rule).toBeFocused();
  await page.keyboard.type('adv');
  await page.keyboard.press('Enter');
  await expect(rule).toHaveValue('No advertising');
  await rule.fill('adv');
  await page.keyboard.press('Enter');
  await expect(rule).toHaveValue('No advertising');
  await expect(page.getByRole('button', { name: 'Send now' })).toHaveCount(0);
  await expect(page.getByRole('form').getByRole('button', { name: 'Resolve report' })).toBeEnabled();
});

test('a colleague who decides under an open form does not have their decision changed by what is typed', async ({ browser, post }) => {
  const id = await file('member5', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  await deciding(page, id);
  await page.keyboard.press('ArrowUp');
  const explanation = page.getByLabel('Explanation', { exact: true });
  await explanation.fill('Another one');
  await asAdmin(id, 'resolve', { resolution: 'no_violation' });
  await expect(page.getByText('A colleague decided this report. Your draft is kept.')).toBeVisible();
  await page.keyboard.type(' is open.');
  await page.keyboard.press('Control+Enter');
  await expect(explanation).toHaveValue('Another one is open.');
  await expect(page.getByRole('button', { name: 'Send now' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Change their decision' }).click();
  await page.getByRole('form').getByRole('button', { name: 'Change decision' }).click();
  await page.getByRole('button', { name: 'Send now' }).click();
  await expectReport(id, { resolution: 'duplicate' });
});

test('letters for a field that a colleague’s step has closed run nothing', async ({ browser, post }) => {
  const id = await file('member6', { targetId: post.id });
  await asAdmin(id, 'resolve', { resolution: 'no_violation' });
  const page = await pageAs(browser, 'moderator');
  await page.goto(`/modcp/reports/${id}`);
  await page.getByRole('button', { name: 'Reopen' }).click();
  await page.keyboard.type('Spa');
  await asAdmin(id, 'reopen', { reason: 'The author objected.' });
  while ((await page.getByRole('form', { name: 'Reopen' }).count()) > 0) await page.keyboard.type('m');
  await page.keyboard.type('c');
  expect((await readReport(id)).version).toBe(3);
  await expect(page).toHaveURL(new RegExp(id));
});

test('the dialog for many keeps its buttons in sight and its rows inside, and hides the content with the decision once that was asked about', async ({ browser, post }) => {
  await publishedPolicy();
  const ids = [await file('member2', { targetId: post.id }), await file('member3', { targetId: post.id }), await file('member4', { targetId: post.id })];
  const page = await pageAs(browser, 'moderator', { width: 1440 });
  await page.goto('/modcp/reports');
  for (const id of ids) await page.locator(`[data-row="${id}"]`).getByRole('checkbox').check();
  await page.keyboard.press('r');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('radio', { name: /^No violation/ })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(dialog.locator('[contenteditable="true"]')).toBeVisible();
  const box = (await dialog.locator('.mantine-Modal-content').or(dialog).last().boundingBox())!;
  const apply = dialog.getByRole('button', { name: 'Resolve 3 reports' });
  await expect(apply).toBeInViewport({ ratio: 1 });
  expect(box.y).toBeGreaterThanOrEqual(0);
  expect(box.y + box.height).toBeLessThanOrEqual(900);
  // The list of rules reaches over the form and is not clipped.
  await dialog.getByRole('combobox', { name: 'Rule' }).click();
  await expect(dialog.getByRole('option', { name: /No advertising/ })).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();

  await apply.click();
  await expect(dialog.getByRole('alert')).toContainText('The content stays public');
  await dialog.getByRole('checkbox', { name: 'Hide content' }).check();
  await apply.click();
  await page.getByRole('button', { name: 'Send now' }).click();
  for (const id of ids) await expectReport(id, { status: 'done', resolution: 'action_taken' });
  await page.goto(`/modcp/reports/${ids[0]}`);
  await expect(page.getByText('Only moderators can see it.')).toBeVisible();
});

test('an outcome that contradicts the content is asked about once, and explained', async ({ browser, post }) => {
  const id = await file('member7', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  await deciding(page, id);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Control+Enter');
  const explanation = page.getByLabel('Explanation', { exact: true });
  await expect(explanation).toBeFocused();
  await expect(page.getByRole('form').getByRole('alert')).toContainText('The content stays public, although action was taken.');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('button', { name: 'Send now' })).toHaveCount(0);
  await page.keyboard.type('Warned by message.');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Send now' }).click();
  await expectReport(id, { resolution: 'action_taken' });
  await expect(page.getByText('Warned by message.').first()).toBeVisible();
});

test('a decision hides the content in the same step, h only hides, and Shift+H or u restores', async ({ browser, post }) => {
  const id = await file('member8', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  await deciding(page, id);
  await page.keyboard.press('ArrowDown');
  await page.getByRole('form').getByRole('checkbox', { name: 'Hide content' }).check();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Send now' }).click();
  await expectReport(id, { resolution: 'action_taken' });
  const hidden = page.getByText('Only moderators can see it.');
  await expect(hidden).toBeVisible();
  await page.keyboard.press('h');
  await page.keyboard.press('n');
  await expect(page.getByRole('textbox', { name: 'Note' })).toBeFocused();
  await expect(hidden).toBeVisible();
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('Shift+H');
  await expect(page.getByText('Everybody can see it.')).toBeVisible();
  await page.keyboard.press('h');
  await expect(hidden).toBeVisible();
  await page.keyboard.press('u');
  await expect(page.getByText('Everybody can see it.')).toBeVisible();
});
