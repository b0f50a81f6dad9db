import { apiAs, core, file, readReport, unreportedPost } from './support/api';
import { axeFaults } from './support/axe';
import { sql } from './support/sql';
import { expect, pageAs, test } from './support/test';

test('a condition is mended where its fault is, back-tested on what is reported, and an example is opened', async ({ browser }) => {
  const post = unreportedPost();
  const title = `A title like no other: ${post.id}`; // the demo gives posts the same
  sql(`UPDATE forum_posts SET title = '${title}' WHERE id = ${Number(post.id)}`);
  const reported = await file('member5', { targetId: post.id, reason: 'abusive' });
  const moderator = await apiAs('moderator');
  const { version } = await readReport(reported);
  await moderator.post(`${core()}/moderation/reports/${reported}/resolve`, { data: { expectedVersion: version, resolution: 'no_violation' } });

  const page = await pageAs(browser, 'admin');
  await page.goto('/admin/core/rules/backtests');
  const condition = page.getByLabel('Condition (CEL)');
  const start = page.getByRole('button', { name: 'Back-test', exact: true });
  await expect(page.getByText('Only reported content is measured')).toBeVisible();
  await expect(start).toBeDisabled();
  await condition.fill('reason == "abusive" &&\n  titel.contains(');
  await condition.pressSequentially('"")');
  await expect(page.getByText('1 fault')).toBeVisible();
  await expect(page.locator('[data-fault]')).toHaveText('2');
  await expect(start).toBeDisabled();
  // The fault leads to its place, and a fact takes it.
  await page.getByRole('button', { name: 'Line 2, column 3' }).click();
  expect(await page.evaluate(() => getSelection()!.toString())).toBe('titel');
  await page.getByRole('button', { name: 'title string' }).click();
  await expect(condition).toHaveValue('reason == "abusive" &&\n  title.contains("")');
  await page.keyboard.type('.size()');
  await expect(condition).toHaveValue('reason == "abusive" &&\n  title.size().contains("")');
  await condition.fill(`reason == "abusive" && title == ${JSON.stringify(title)}`);
  // What is written survives a reload.
  await page.reload();
  await expect(condition).toHaveValue(/abusive/);
  const days = [page.getByLabel('Filed from'), page.getByLabel('Filed before')] as const;
  await days[0].fill('2020-01-02');
  await days[1].fill('2020-01-01');
  await expect(page.getByText('Choose a later day')).toBeVisible();
  await expect(start).toBeDisabled();
  await days[1].fill('');
  await start.click();

  await expect(page).toHaveURL(/\/rules\/backtests\/[0-9a-f-]{36}$/);
  const own = new URL(page.url()).pathname;
  await expect(page.getByRole('status').filter({ hasText: 'Done' })).toBeVisible();
  await expect(page.getByText(/^1 of \d+ reports? matched$/)).toBeVisible();
  const outcomes = page.getByRole('table', { name: 'What became of the reports that matched' });
  await expect(outcomes.getByRole('row', { name: 'Rejected' })).toHaveText('Rejected1');
  await expect(outcomes.getByRole('row', { name: 'Precision' })).toHaveText('Precision0%');
  await page.getByRole('group').getByText('Details').click();
  await expect(page.getByText('SHA-256 of the condition')).toBeVisible();
  expect(await axeFaults(page)).toEqual([]);

  await page.getByRole('button', { name: 'Change the condition' }).click();
  await expect(condition).toHaveValue(/abusive/);
  await expect(days[0]).toHaveValue('2020-01-02');
  // The list as it was read before shows those of others alone.
  const row = page.getByRole('table', { name: 'Newest back-tests' }).getByRole('row').filter({ has: page.locator(`a[href$="${own}"]`) });
  await expect(row).toContainText('Done');
  await row.getByRole('link').click();
  await page.getByRole('button', { name: 'New rule from it' }).click();
  await expect(page).toHaveURL(/\/rules\/new$/);
  await expect(condition).toHaveValue(/abusive/);
  await page.goBack();
  await page.getByRole('list', { name: 'Examples' }).getByRole('link', { name: reported }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(title);
});

test('a back-test that runs shows how far it is, and is cancelled', async ({ browser }) => {
  const page = await pageAs(browser, 'admin');
  const id = '01900000-0000-7000-8000-000000000000';
  let state = 'queued';
  const answer = () => ({
    id, when: 'muted', against: null, since: null, until: null, state, done: state === 'queued' ? 0 : 400, total: state === 'queued' ? 0 : 1000, result: null, error: null,
    requestedBy: id, requestedAt: new Date().toISOString(), startedAt: null, finishedAt: null,
  });
  await page.route(`**/admin/rules/backtests/${id}*`, (route) => route.fulfill({ json: answer() }));
  await page.route(`**/admin/rules/backtests/${id}/cancel`, (route) => {
    state = 'cancelled';
    return route.fulfill({ json: answer() });
  });
  await page.goto(`/admin/core/rules/backtests/${id}`);
  await expect(page.getByText('Waits for another back-test')).toBeVisible();
  state = 'running';
  await expect(page.getByText('400 of 1,000 positions')).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Progress of the back-test' })).toHaveAttribute('aria-valuenow', '40');
  expect(await axeFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(page.getByText('It was cancelled before it had a result.')).toBeVisible();
  await expect(page.getByRole('progressbar')).toHaveCount(0);
});
