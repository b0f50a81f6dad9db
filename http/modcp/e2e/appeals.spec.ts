import { apiAs, core, expectReport, file } from './support/api';
import { expect, pageAs, test } from './support/test';

test('a reporter is told the outcome, appeals “No violation”, and a reply that is half written survives a reload', async ({ browser, post }) => {
  const id = await file('member7', { targetId: post.id });
  const api = await apiAs('moderator');
  await api.post(`${core()}/moderation/reports/${id}/resolve`, { data: { expectedVersion: 1, resolution: 'no_violation', explanation: 'Only a joke.', share: true } });

  const member = await pageAs(browser, 'member7');
  await member.goto('/');
  const told = member.getByRole('listitem').filter({ hasText: 'Only a joke.' });
  await expect(told).toBeVisible({ timeout: 30_000 });
  await told.getByRole('button', { name: 'Got it' }).click();
  await expect(told).toHaveCount(0);
  await member.getByRole('link', { name: 'Decisions about me' }).click();
  await member.locator(`a[href="/decisions/${id}"]`).click();
  await expect(member.getByText('Only a joke.')).toBeVisible();
  await member.getByLabel(/^Why is the decision wrong/).fill('It is not funny to me.');
  await member.getByRole('button', { name: 'Send appeal' }).click();
  await expect(member.getByText('It is not funny to me.')).toBeVisible();

  const decider = await pageAs(browser, 'admin');
  await decider.goto('/modcp/appeals');
  await decider.getByRole('listitem').filter({ hasText: 'It is not funny to me.' }).getByRole('link').click();
  await decider.getByRole('button', { name: 'Overturn decision' }).click();
  await decider.getByRole('textbox', { name: 'Reply' }).fill('We look at it again.');
  await decider.reload();
  await decider.getByRole('button', { name: 'Overturn decision' }).click();
  await expect(decider.getByRole('textbox', { name: 'Reply' })).toHaveValue('We look at it again.');
  await decider.getByRole('form').getByRole('button', { name: 'Overturn decision' }).click();
  await expect(decider.getByText('Decision overturned').first()).toBeVisible();
  await expectReport(id, { status: 'new', assignee: null });

  await member.reload();
  await expect(member.getByText('Under review').first()).toBeVisible();
  await expect(member.getByText('We look at it again.')).toBeVisible();
});
