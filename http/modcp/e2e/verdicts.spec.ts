import { apiAs, core, expectReport, file, readReport } from './support/api';
import { publishedPolicy, ruleKey } from './support/screens';
import { expect, pageAs, test } from './support/test';

interface Decided {
  resolution: string;
  decision: { policy: { key: string; version: number } | null; reasons: unknown; actions: string[] };
}

const decided = async (id: string) => (await readReport(id)) as unknown as Decided;

test('one key decides a report: outcome, action, rule and template, in one call that u takes back', async ({ browser, post }) => {
  await publishedPolicy();
  const id = await file('member2', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && /moderation\/(cases\/decide|reports\/.*\/(resolve|actions))/.test(request.url())) sent.push(request.url());
  });
  await page.goto(`/modcp/reports/${id}`);
  const key = await ruleKey(page);
  await page.keyboard.press(key);
  await expect(page.getByRole('group', { name: 'Decision' })).toContainText(/“Action taken” will be sent in \d seconds?\./);
  await page.keyboard.press('u');
  await expect(page.locator('[data-verdict="1"]')).toBeEnabled();
  await expectReport(id, { status: 'new', version: 1 });
  // What was written in the form is there still.
  await page.keyboard.press('r');
  const explanation = page.getByLabel('Explanation', { exact: true });
  await explanation.fill('The third one this week.');
  await explanation.press('Escape');
  await page.keyboard.press(key);
  await page.keyboard.press('u');
  await page.keyboard.press('r');
  await expect(explanation).toHaveValue('The third one this week.');
  await explanation.press('Escape');

  await page.keyboard.press(key);
  await page.getByRole('button', { name: 'Send now' }).click();
  await expectReport(id, { status: 'done', resolution: 'action_taken' });
  expect(sent).toHaveLength(1);
  const { decision } = await decided(id);
  expect(decision).toMatchObject({ policy: { key: 'advertising' }, actions: ['hide'] });
  expect(JSON.stringify(decision.reasons)).toContain('Your post advertises a product.');
});

test('Shift with a number fills the form in, and Enter submits it once the list is closed', async ({ browser, post }) => {
  await publishedPolicy();
  const id = await file('member6', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  await page.goto(`/modcp/reports/${id}`);
  await page.keyboard.press(`Shift+Digit${await ruleKey(page)}`);
  const form = page.getByRole('form');
  await expect(form.getByRole('radio', { name: /^Action taken/ })).toBeFocused();
  await expect(form.getByRole('checkbox', { name: 'Hide content' })).toBeChecked();
  const rule = form.getByRole('combobox', { name: 'Rule' });
  await expect(rule).toHaveValue('No advertising');
  await expect(form.locator('[contenteditable="true"]')).toHaveText('Your post advertises a product.');
  await rule.click();
  await expect(page.getByRole('option', { name: /No advertising/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('option')).toHaveCount(0);
  await expect(form).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Send now' })).toBeVisible();
  await page.keyboard.press('u');
  await page.keyboard.press('Shift+Digit1');
  await expect(form.getByRole('radio', { name: /^No violation/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Send now' }).click();
  await expectReport(id, { status: 'done', resolution: 'no_violation' });
});

test('Enter in a form whose measures are still asked for sends it once they are known', async ({ browser, post }) => {
  await publishedPolicy();
  const id = await file('member6', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  const asked: (() => Promise<void>)[] = [];
  await page.route('**/proposal?policy=advertising*', (route) => void asked.push(() => route.continue()));
  await page.goto(`/modcp/reports/${id}`);
  await page.keyboard.press(`Shift+Digit${await ruleKey(page)}`);
  await expect(page.getByRole('form').getByRole('radio', { name: /^Action taken/ })).toBeFocused();
  await expect.poll(() => asked.length).toBe(1);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('form')).toBeVisible();
  expect(await page.getByRole('button', { name: 'Send now' }).count()).toBe(0);
  await asked[0]!();
  await page.getByRole('button', { name: 'Send now' }).click();
  await expectReport(id, { status: 'done', resolution: 'action_taken' });
});

test('1 finds no violation and restores what is hidden; numbers are numbers in a field, and run nothing under a dialog or twice while held down', async ({ browser, post }) => {
  const id = await file('member7', { targetId: post.id });
  expect((await (await apiAs('moderator')).post(`${core()}/moderation/reports/${id}/actions/hide`, { data: { expectedVersion: 1 } })).ok()).toBe(true);
  const { version } = await readReport(id);
  const page = await pageAs(browser, 'moderator');
  await page.goto(`/modcp/reports/${id}`);
  await expect(page.getByRole('button', { name: /^No violation\s*Restores the content$/ })).toBeVisible();
  await page.keyboard.press('n');
  await page.keyboard.type('1 or 2 of them');
  await expect(page.getByRole('textbox', { name: 'Note' })).toHaveValue('1 or 2 of them');
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog');
  await expect(help.getByText('2–9', { exact: true })).toBeVisible();
  await expect(help.getByText('Shift 1–9', { exact: true })).toBeVisible();
  await page.keyboard.press('1');
  await page.keyboard.press('Escape');
  await expect(help).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /Type a command/ }).fill('decision no violation');
  await expect(page.getByRole('option', { name: /^Decision: No violation/ })).toContainText('1');
  await page.keyboard.press('Escape');
  await expect(page.locator('[aria-modal="true"]')).toHaveCount(0);
  await expect(page.getByText(/will be sent/)).toHaveCount(0);
  const digit = (repeat: boolean) => page.evaluate((held) => void document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '1', code: 'Digit1', repeat: held, bubbles: true })), repeat);
  await digit(true);
  await expect(page.getByText(/will be sent/)).toHaveCount(0);
  expect((await readReport(id)).version).toBe(version);
  await digit(false);
  await page.getByRole('button', { name: 'Send now' }).click();
  await expectReport(id, { status: 'done', resolution: 'no_violation' });
  await expect(page.getByText('Everybody can see it.')).toBeVisible();
});

test('a verdict that a colleague was faster than is kept in the form, with its rule and action', async ({ browser, post }) => {
  await publishedPolicy();
  const id = await file('member8', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  await page.route('**/moderation/live', (route) => route.abort());
  await page.goto(`/modcp/reports/${id}`);
  await page.keyboard.press(await ruleKey(page));
  const colleague = await apiAs('admin');
  expect((await colleague.post(`${core()}/moderation/reports/${id}/assign`, { data: { expectedVersion: 1, assigneeId: null } })).ok()).toBe(true);
  expect((await colleague.post(`${core()}/moderation/reports/${id}/actions/hide`, { data: { expectedVersion: 1 } })).ok()).toBe(true);
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect(page.getByRole('radio', { name: /^Action taken/ })).toBeChecked();
  await expect(page.getByRole('combobox', { name: 'Rule' })).toHaveValue('No advertising');
  expect((await readReport(id)).status).toBe('new');
});

test('a number that follows the key of a dialog at once is not a verdict', async ({ browser, post }) => {
  const id = await file('member9', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  await page.goto(`/modcp/reports/${id}`);
  await expect(page.locator('[data-verdict="1"]')).toBeVisible();
  const passed = page.waitForRequest('**/moderation/cases/pass');
  await page.evaluate(async () => {
    for (const [key, code] of [['s', 'KeyS'], ['1', 'Digit1']]) {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, code, bubbles: true, cancelable: true }));
      await Promise.resolve();
    }
  });
  expect((await passed).postDataJSON()).toMatchObject({ reason: 'language' });
  await expect(page.getByRole('button', { name: 'Send now' })).toHaveCount(0);
  expect((await readReport(id)).status).toBe('new');
});
