import { apiAs, core, file, readReport } from './support/api';
import { expect, pageAs, test } from './support/test';

test('a report is escalated by a key, stands on top of the board of a lead, and is given back to who held it', async ({ browser, post }) => {
  const id = await file('member4', { targetId: post.id });
  const holder = await apiAs('moderator');
  await holder.post(`${core()}/moderation/reports/${id}/claim`, { data: { expectedVersion: 1 } });
  const page = await pageAs(browser, 'moderator');
  await page.goto(`/modcp/reports/${id}`);
  await expect(page.getByRole('button', { name: /^Escalate/ })).toBeVisible();
  await page.keyboard.press('e');
  const form = page.getByRole('form');
  await form.getByRole('textbox').last().fill('A lawyer wrote it. <b>Please</b> look.');
  await form.getByRole('button', { name: 'Escalate' }).click();
  await expect(page.getByText('A lawyer wrote it. <b>Please</b> look.').first()).toBeVisible();
  await expect.poll(async () => (await readReport(id)).version).toBeGreaterThan(2);

  const lead = await pageAs(browser, 'admin');
  await lead.goto('/modcp/reports');
  const waiting = lead.getByRole('region', { name: 'Escalated to you' });
  await waiting.getByRole('link', { name: post.title }).first().click();
  await lead.getByRole('button', { name: 'Give back' }).click();
  await lead.getByRole('form').getByRole('button', { name: 'Give back' }).click();
  await expect(lead.getByRole('button', { name: 'Give back' })).toHaveCount(0);
  await expect.poll(async () => (await readReport(id)).status).toBe('in_progress');
});
