import { apiAs, authorOf, core, file, readReport } from './support/api';
import { expect, pageAs, test } from './support/test';

test('a decision by a rule reaches the author, who appeals; another moderator overturns it and the post is public again', async ({ browser, post }) => {
  const key = `rule-${Date.now()}`;
  const admin = await apiAs('admin');
  const published = await admin.post(`${core()}/admin/policies`, {
    data: { key, title: `No shops ${key}`, text: 'Shops are not allowed.', template: 'Your post names a shop.' },
  });
  expect(published.status()).toBe(201);
  const id = await file('member9', { targetId: post.id, description: 'Secret words of the reporter.' });
  const author = await authorOf(id);

  const moderator = await pageAs(browser, 'moderator');
  await moderator.goto(`/modcp/reports/${id}`);
  await moderator.getByRole('button', { name: 'Hide content' }).click();
  await expect(moderator.getByText('Only moderators can see it.')).toBeVisible();
  await moderator.getByRole('button', { name: 'Resolve', exact: true }).click();
  await moderator.getByRole('radio', { name: /^Action taken/ }).click();
  await moderator.getByRole('combobox', { name: 'Rule' }).fill(key);
  await moderator.getByRole('option', { name: new RegExp(key) }).click();
  const reasons = moderator.getByRole('textbox', { name: 'Reasons for the author' });
  await expect(reasons).toContainText('Your post names a shop.');
  await reasons.press('Control+End');
  await reasons.pressSequentially(' Post it again without.');
  await moderator.getByRole('button', { name: 'What the author will read' }).click();
  const preview = moderator.getByRole('dialog');
  await expect(preview).toContainText('Your post names a shop. Post it again without.');
  await expect(preview).toContainText(`No shops ${key}`);
  await preview.getByRole('button', { name: 'Close' }).click();
  await moderator.getByRole('button', { name: 'Resolve report' }).click();
  await moderator.getByRole('button', { name: 'Send now' }).click();
  await expect(moderator.getByRole('region', { name: 'Decision' }).getByRole('link', { name: `No shops ${key}` })).toBeVisible();

  // The queue that is open already hears of the appeal.
  const second = await pageAs(browser, 'admin');
  await second.goto('/modcp/appeals');
  await expect(second.getByRole('heading', { name: 'Appeals' })).toBeVisible();

  const member = await pageAs(browser, author);
  await member.goto(`/decisions/${id}`);
  await expect(member.getByText('Your post names a shop. Post it again without.')).toBeVisible();
  await expect(member.getByText('The content was hidden from the public.')).toBeVisible();
  await expect(member.getByText('Secret words of the reporter.')).toHaveCount(0);
  await member.getByLabel(/^Why is the decision wrong/).fill('I own no shop.');
  await member.getByRole('button', { name: 'Send appeal' }).click();
  await expect(member.getByText('Another moderator will look at it.').first()).toBeVisible();

  // Whoever decided does not decide again.
  await moderator.getByRole('link', { name: 'Appeals' }).click();
  await moderator.getByRole('link', { name: 'All open' }).click();
  await moderator.getByRole('listitem').filter({ hasText: 'I own no shop.' }).getByRole('link').click();
  await expect(moderator.getByText('somebody else decides its appeal')).toBeVisible();
  await expect(moderator.getByRole('button', { name: 'Overturn' })).toHaveCount(0);

  // The second moderator works by keyboard alone.
  const row = second.getByRole('listitem').filter({ hasText: 'I own no shop.' });
  await row.getByRole('link').focus();
  await second.keyboard.press('Enter');
  await expect(second.getByText('I own no shop.')).toBeVisible();
  await expect(second.getByText('Your post names a shop.')).toBeVisible();
  await second.keyboard.press('o');
  const reply = second.getByRole('textbox', { name: 'Reply' });
  await expect(reply).toBeFocused();
  await reply.fill('You are right.');
  await reply.press('Control+Enter');
  await expect(second.getByText('Decision overturned').first()).toBeVisible();
  expect(await readReport(id)).toMatchObject({ status: 'done', resolution: 'no_violation' });

  const guest = await pageAs(browser, null);
  await guest.goto(`/forum/posts/${post.id}`);
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText(post.title);
  await member.reload();
  await expect(member.getByText('You are right.')).toBeVisible();
  await expect(moderator.getByText('You are right.')).toBeVisible();
});

test('a reporter appeals “No violation”, and a reply that is half written survives a reload', async ({ browser, post }) => {
  const id = await file('member7', { targetId: post.id });
  const api = await apiAs('moderator');
  await api.post(`${core()}/moderation/reports/${id}/resolve`, { data: { expectedVersion: 1, resolution: 'no_violation', explanation: 'Only a joke.', share: true } });

  const member = await pageAs(browser, 'member7');
  await member.goto('/');
  await member.getByRole('link', { name: 'My decisions' }).click();
  await member.locator(`a[href="/decisions/${id}"]`).click();
  await expect(member.getByText('Only a joke.')).toBeVisible();
  await member.getByLabel(/^Why is the decision wrong/).fill('It is not funny to me.');
  await member.getByRole('button', { name: 'Send appeal' }).click();
  await expect(member.getByText('It is not funny to me.')).toBeVisible();

  const decider = await pageAs(browser, 'admin');
  await decider.goto('/modcp/appeals');
  await decider.getByRole('listitem').filter({ hasText: 'It is not funny to me.' }).getByRole('link').click();
  await decider.getByRole('button', { name: 'Overturn' }).click();
  await decider.getByRole('textbox', { name: 'Reply' }).fill('We look at it again.');
  await decider.reload();
  await decider.getByRole('button', { name: 'Overturn' }).click();
  await expect(decider.getByRole('textbox', { name: 'Reply' })).toHaveValue('We look at it again.');
  await decider.getByRole('form').getByRole('button', { name: 'Overturn' }).click();
  await expect(decider.getByText('Decision overturned').first()).toBeVisible();
  expect(await readReport(id)).toMatchObject({ status: 'new', assignee: null });

  await member.reload();
  await expect(member.getByText('Being looked at again').or(member.getByText('Moderators are looking at the report again.')).first()).toBeVisible();
  await expect(member.getByText('We look at it again.')).toBeVisible();
});
