import { apiAs, core, expectReport, file, unreportedPost } from './support/api';
import { expect, pageAs, test } from './support/test';

test('a decision that needs two people is announced, waits on its list, and is made once somebody else approves it', async ({ browser }) => {
  const api = await apiAs('admin');
  const key = `two-keys-${Date.now()}`;
  const rule = (await (await api.post(`${core()}/admin/policies`, { data: { key, title: `Two keys ${key}`, text: 'Be kind.', secondKey: true } })).json()) as { version: number };
  const id = await file('member4', { targetId: unreportedPost().id });

  const lead = await pageAs(browser, 'admin');
  await lead.goto('/modcp/reports');
  const tab = lead.getByRole('link', { name: /^To release/ });
  await expect(lead.locator('a[data-report]').first()).toBeVisible();
  const before = ((await (await api.get(`${core()}/moderation/held?first=100`)).json()) as { edges: unknown[] }).edges.length;
  await expect(tab).toHaveCount(before === 0 ? 0 : 1); // only while something waits

  const moderator = await pageAs(browser, 'moderator');
  await moderator.goto(`/modcp/reports/${id}`);
  await moderator.getByRole('button', { name: /^Resolve/ }).first().click();
  const form = moderator.getByRole('form', { name: /^Resolve/ });
  await form.getByRole('radio', { name: /^Action taken/ }).click();
  await form.getByRole('combobox', { name: 'Rule' }).click();
  await moderator.getByRole('option', { name: new RegExp(key) }).click();
  await expect(form.getByText('A second person must release this before anything is done.')).toBeVisible();
  await expect(form.getByText(/^Can be released by /)).toBeVisible();
  await form.getByRole('textbox', { name: 'Explanation' }).fill('Two of us should look.');
  await form.getByRole('checkbox', { name: 'Hide content' }).check();
  await form.getByRole('button', { name: 'Resolve report' }).click();
  await moderator.getByRole('button', { name: 'Send now' }).click();
  const waiting = moderator.getByRole('region', { name: 'Waiting for a second person' });
  await expect(waiting).toContainText('Two of us should look.');
  await expect(waiting.getByRole('button', { name: 'Approve' })).toHaveCount(0);

  await expect(tab).toHaveText(new RegExp(`\\D${before + 1}$`)); // live
  await tab.click();
  await lead.locator(`a[data-held][href$="${id}"]`).click();
  await lead.getByRole('button', { name: 'Approve' }).click();
  await expect(lead.getByTestId('announcer')).toContainText('Approved. The decision is made.');
  await expectReport(id, { status: 'done' });
  await expect(waiting).toHaveCount(0); // live, for who asked
  await api.post(`${core()}/admin/policies/${key}/retire`);
  expect(rule.version).toBe(1);
});
