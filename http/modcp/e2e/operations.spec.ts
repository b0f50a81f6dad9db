import { apiAs, core, file } from './support/api';
import { setAside, sql } from './support/sql';
import { expect, pageAs, test } from './support/test';

test('a failed event is found by its group and replayed; one that fails again says so and stays', async ({ browser, post }) => {
  const id = await file('member1', { targetId: post.id });
  setAside(id, 'docket.webhooks', 'the table is not there');
  setAside(id, 'gone.listener', 'the table is not there');
  const page = await pageAs(browser, 'admin');
  await page.goto('/admin/core/advanced/poison');
  await expect(page.getByText('the table is not there')).toHaveCount(2);
  await page.getByRole('combobox', { name: 'Listener' }).fill('gone.listener');
  await expect(page).toHaveURL(/group=gone\.listener/);
  await page.reload();
  await expect(page.getByText('the table is not there')).toHaveCount(1);
  await page.getByRole('button', { name: 'Replay “Report filed” to “Gone listener”' }).click();
  await expect(page.getByText('could not handle the event this time either').first()).toBeAttached();
  await expect(page.getByRole('row').filter({ hasText: 'gone.listener' })).toBeVisible();

  await page.goto('/admin/core/advanced/poison?group=docket.webhooks');
  await page.getByRole('button', { name: 'Replay “Report filed” to “Webhooks”' }).click();
  await expect(page.getByTestId('announcer')).toContainText('“Webhooks” has handled the event');
  await expect(page.getByText('No event was set aside')).toBeVisible();
});

test('the event log leads to a report as it stood after an event, by keyboard alone', async ({ browser, post }) => {
  const id = await file('member2', { targetId: post.id });
  const moderator = await apiAs('moderator');
  await moderator.post(`${core()}/moderation/reports/${id}/claim`, { data: { expectedVersion: 1 } });
  await moderator.post(`${core()}/moderation/reports/${id}/notes`, { data: { body: 'Words at the third event.' } });
  const page = await pageAs(browser, 'admin');
  await page.goto('/admin/core/events');
  const rows = page.getByRole('row').filter({ hasText: id });
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(rows).toHaveCount(3, { timeout: 1_000 });
  }).toPass();
  const claimed = rows.nth(1);
  await claimed.getByRole('button', { name: 'Details' }).press('Enter');
  const details = page.getByRole('definition');
  await expect(details.filter({ hasText: '"claimed": true' })).toBeVisible();
  await expect(claimed).toContainText(post.title);
  await expect(details.filter({ hasText: id })).toHaveCount(0);
  await claimed.getByRole('button', { name: 'Details' }).press('Enter');
  await expect(details).toHaveCount(0);

  await rows.first().getByRole('button', { name: /^Show as it stood at event/ }).press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Event 3 of 3')).toBeVisible();
  await expect(dialog.getByText('Words at the third event.')).toBeVisible();
  await expect(dialog.getByRole('slider')).toBeFocused();
  await page.keyboard.press('Home');
  await expect(dialog.getByText('Event 1 of 3')).toBeVisible();
  await expect(dialog.getByText('New', { exact: true })).toBeVisible();
  await expect(dialog.getByText('Words at the third event.')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);

  await rows.first().getByRole('link', { name: /^Open report of event/ }).press('Enter');
  await expect(page).toHaveURL(new RegExp(`/modcp/reports/${id}$`));
});

test('the event log is filtered in the URL and pages by cursor', async ({ browser }) => {
  const page = await pageAs(browser, 'admin');
  await page.goto('/admin/core/events');
  await page.getByText('Oldest first').click();
  const first = page.getByRole('row').nth(1).locator('[data-title="Position"]');
  await expect(first).toHaveText('1');
  const position = page.getByRole('textbox', { name: 'After position' });
  await position.fill('two');
  await expect(page.getByText('A whole number')).toBeVisible();
  await position.fill('2');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(first).toHaveText('3');
  await page.reload();
  await expect(first).toHaveText('3');
  await expect(page).toHaveURL(/order=asc&after=2$/);
  await page.goBack();
  await expect(first).toHaveText('1');

  // Few pages are as long as the real ones in a demo: the server is asked for shorter ones.
  await page.route('**/moderation/events?**', (route) => route.continue({ url: route.request().url().replace('first=50', 'first=1') }));
  await page.reload();
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect(page.getByRole('row')).toHaveCount(3);
  await expect(page.getByRole('row').nth(2).locator('[data-title="Position"]')).toHaveText('2');
});

test('the event log is filtered by who, what, report and day, by keyboard alone', async ({ browser, post }) => {
  const id = await file('member4', { targetId: post.id });
  const moderator = await apiAs('moderator');
  await moderator.post(`${core()}/moderation/reports/${id}/claim`, { data: { expectedVersion: 1 } });
  const page = await pageAs(browser, 'admin');
  const rows = page.getByRole('row').filter({ has: page.locator('[data-title="Position"]') });
  await expect(async () => {
    await page.goto(`/admin/core/events?report=${id}`);
    await expect(rows).toHaveCount(2, { timeout: 1_000 });
  }).toPass();
  await expect(rows.first()).toContainText('Mo Moderator');

  await page.getByRole('combobox', { name: 'Event', exact: true }).focus();
  await page.keyboard.type('Report fi');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/type=created/);
  await expect(rows).toHaveCount(1);
  await rows.first().locator('[data-title="By"]').getByRole('button').press('Enter');
  await expect(page).toHaveURL(/actor=/);
  await page.getByLabel('To', { exact: true }).fill('2020-01-01');
  await expect(page.getByText('Remove a filter, or clear all.')).toBeVisible();
  await page.goBack();
  await expect(rows).toHaveCount(1);
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter');
  await expect(page).toHaveURL(/events$/);
  await page.getByRole('textbox', { name: 'Report id or link' }).fill('no id');
  await expect(page.getByText('Not a report’s id')).toBeVisible();
  await page.getByRole('combobox', { name: 'By' }).focus();
  await page.keyboard.type('Mo Mod');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(rows.first()).toContainText('Mo Moderator');
  await page.getByRole('textbox', { name: 'Report id or link' }).fill(`http://127.0.0.1/modcp/reports/${id}`);
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText('Assignee changed');
});

test('an auditor who moderates nothing replays too, and finds no link to the report nor a command for moderators', async ({ browser, post }) => {
  const id = await file('member3', { targetId: post.id });
  const admin = await apiAs('admin');
  const found = await admin.get(`${core()}/admin/users?search=member5@demo.test`);
  const userId = ((await found.json()) as { edges: { id: string }[] }).edges[0]!.id;
  const made = await admin.post(`${core()}/admin/staff/entry/admin`, { data: { userId } });
  const entry = ((await made.json()) as { id: string }).id;
  const grant = { plugin: '@platform/core', module: 'audit', permission: 'can_view' };
  await admin.patch(`${core()}/admin/staff/entry/admin/${entry}`, { data: { unrestricted: false, permissions: [grant] } });

  const page = await pageAs(browser, 'member5');
  await page.goto('/admin/core/events');
  const row = page.getByRole('row').filter({ hasText: id });
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(row).toHaveCount(1, { timeout: 1_000 });
  }).toPass();
  await expect(row.getByRole('link')).toHaveCount(0);
  await expect(row).toContainText(`Post ${post.id}`);
  await row.getByRole('button', { name: /^Show as it stood at event/ }).click();
  await expect(page.getByRole('dialog').getByText('Event 1 of 1')).toBeVisible();
  await page.goto('/admin/core/advanced/poison');
  await expect(page.getByText('No access')).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('option', { name: 'Event log' })).toBeVisible();
  await expect(page.getByRole('option', { name: 'Take the next case' })).toHaveCount(0);
  await admin.delete(`${core()}/admin/staff/entry/admin/${entry}`);
});

test('projections say how far they are and why one is paused; one that went wrong is found by its verification and mended by its rebuild', async ({ browser, post }) => {
  const id = await file('member7', { targetId: post.id });
  sql(`UPDATE core_moderation_reports SET title = 'Not what was reported' WHERE id = '${id}'`);
  const page = await pageAs(browser, 'admin');
  await page.goto('/admin/core/advanced/projections');
  const builds = page.getByRole('table', { name: 'Projections' });
  for (const name of ['daily', 'reporters', 'targets']) await expect(builds.getByRole('row').filter({ hasText: name })).toContainText('In use');
  sql(`UPDATE core_projections SET paused_at = now(), paused_why = 'event 7 makes no sense' WHERE name = 'daily'`);
  await page.reload();
  const daily = builds.getByRole('row').filter({ hasText: 'daily' });
  await expect(daily).toContainText('event 7 makes no sense');
  await expect(daily.getByText('Paused', { exact: true })).toBeVisible();
  sql(`UPDATE core_projections SET paused_at = NULL, paused_why = NULL WHERE name = 'daily'`);

  const reports = page.getByRole('table', { name: 'Verify and rebuild' }).getByRole('row').filter({ hasText: 'reports' });
  const verified = reports.locator('[data-title="Last verification"]');
  await reports.getByRole('button', { name: 'Verify reports' }).click();
  await expect(verified).toContainText('1 row was wrong', { timeout: 45_000 });
  await verified.locator('summary').press('Enter');
  await expect(verified.getByRole('listitem')).toContainText(id);

  await reports.getByRole('button', { name: 'Rebuild reports' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Rebuild “Reports” from the log?')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Rebuild' }).press('Enter');
  await expect(reports.locator('[data-title="Last rebuild"]')).toContainText('Done', { timeout: 45_000 });
  await reports.getByRole('button', { name: 'Verify reports' }).click();
  await expect(verified).toContainText('Matches the log', { timeout: 45_000 });
});

test('the queue offers another try where a task failed, and no column for it where none did', async ({ browser }) => {
  const page = await pageAs(browser, 'admin');
  const action = page.getByRole('columnheader', { name: 'Action' });
  const add = (name: string, status: string, attempts: number) =>
    sql(`INSERT INTO core_queue (id, plugin_id, name, queue, status, payload, priority, attempts, max_attempts, available_at, created_at)
      VALUES (gen_random_uuid(), 'gone', '${name}', 'outbound', '${status}', '{}', 0, ${attempts}, 3, now() + interval '1 hour', now())`);
  add('gone.later', 'pending', 1);
  await page.goto('/admin/core/advanced/queue?status=pending');
  const waiting = page.getByRole('row').filter({ hasText: 'gone.later' });
  await expect(waiting).toContainText('Gone later');
  await expect(waiting).toContainText('Waiting to retry');
  await expect(action).toHaveCount(0);
  add('gone.failed', 'failed', 3);
  await page.goto('/admin/core/advanced/queue?status=failed');
  await expect(action).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'gone.failed' }).getByRole('button', { name: 'Try again' })).toBeVisible();
  sql(`DELETE FROM core_queue WHERE plugin_id = 'gone'`);
});
