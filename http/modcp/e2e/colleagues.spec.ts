import { apiAs, core, expectReport, file, readReport } from './support/api';
import { expect, pageAs, test } from './support/test';

test('two moderators race for one report and the loser is told', async ({ browser, post }) => {
  const id = await file('member3', { targetId: post.id });
  const [one, two] = await Promise.all([pageAs(browser, 'moderator'), pageAs(browser, 'admin')]);
  // Without the live feed neither sees the other coming, which is the race.
  for (const page of [one, two]) await page.route('**/moderation/live', (route) => route.abort());
  await Promise.all([one.goto(`/modcp/reports/${id}`), two.goto(`/modcp/reports/${id}`)]);
  await two.getByRole('textbox', { name: 'Note' }).fill('a draft of mine');
  await one.getByRole('button', { name: 'Claim', exact: true }).click();
  await expectReport(id, { status: 'in_progress' });

  await two.getByRole('button', { name: 'Claim', exact: true }).click();
  const notice = two.getByRole('alert').filter({ hasText: 'took this report first' });
  await expect(notice).toBeVisible();
  await expect(notice).toContainText('Mo Moderator took the report');
  await expect(two.getByRole('textbox', { name: 'Note' })).toHaveValue('a draft of mine');
  expect((await readReport(id)).assignee?.name).toBe('Mo Moderator');
});

test('a decision on a stale report keeps its draft and shows what changed', async ({ browser, post }) => {
  const id = await file('member4', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  await page.route('**/moderation/live', (route) => route.abort());
  await page.goto(`/modcp/reports/${id}`);
  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  await page.getByRole('radio', { name: /^No violation/ }).click();
  await page.getByLabel('Explanation', { exact: true }).fill('my careful words');

  const other = await apiAs('admin');
  const { version } = await readReport(id);
  await other.post(`${core()}/moderation/reports/${id}/claim`, { data: { expectedVersion: version } });

  await page.getByRole('button', { name: 'Resolve report' }).click();
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect(page.getByText('A colleague changed this in the meantime.').first()).toBeVisible();
  await expect(page.getByRole('radio', { name: /^No violation/ })).toBeFocused();
  await expect(page.getByLabel('Explanation', { exact: true })).toHaveValue('my careful words');
  await page.getByRole('button', { name: 'Resolve report' }).click();
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect(page.getByText('Resolved: No violation.').first()).toBeAttached();
  await expectReport(id, { status: 'done', resolution: 'no_violation' });
});

test('an open board hears of a new report without moving, greys what a colleague takes, and says who is online and holds what', async ({ browser, post }) => {
  const first = await file('member5', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  await page.goto('/modcp/reports');
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  const top = page.locator('a[data-report]').first();
  await expect(top).toHaveAttribute('data-report', first);

  const second = await file('member6', { targetId: post.id });
  const arrived = page.getByRole('button', { name: /1 new report/ });
  await expect(arrived).toBeVisible();
  await expect(top).toHaveAttribute('data-report', first);
  await arrived.click();
  await expect(top).toHaveAttribute('data-report', second);

  const colleague = await pageAs(browser, 'admin');
  await colleague.goto(`/modcp/reports/${first}`);
  await colleague.getByRole('button', { name: 'Claim', exact: true }).click();
  const row = page.locator(`[data-row="${first}"]`);
  await expect(row).toHaveAttribute('data-left', 'true');
  await expect(row).toContainText('Taken by Ada Admin');
  await page.reload();
  const team = page.getByRole('group', { name: 'Who works on it' });
  await expect(team.locator('span', { hasText: 'Online:' })).toContainText('Online:Ada Admin');
  await expect(team.locator('span', { hasText: 'Online:' })).toContainText('You');
  await expect(team.getByRole('link', { name: /^Ada Admin \d+$/ })).toBeVisible();
  await expect(team).toContainText(/Oldest unclaimed report: |Every report is claimed\./);
});

test('an open report says in each of its tabs who else is looking, and what a colleague does to it', async ({ browser, post }) => {
  const id = await file('member7', { targetId: post.id });
  const one = await pageAs(browser, 'moderator');
  await one.goto(`/modcp/reports/${id}`);
  await expect(one.getByText('Live', { exact: true })).toBeVisible();
  await expect(one.getByRole('heading', { level: 1 })).toHaveText(post.title);
  const colleague = await pageAs(browser, 'admin');
  await colleague.goto(`/modcp/reports/${id}`);
  await expect(one.getByText('Ada Admin is looking too')).toBeVisible();
  const later = await one.context().newPage();
  await later.goto(`/modcp/reports/${id}`);
  await expect(later.getByText('Ada Admin is looking too')).toBeVisible();
  await colleague.getByRole('button', { name: 'Claim', exact: true }).click();
  await expect(one.getByText('A colleague changed this report')).toBeVisible();
  await expect(one.getByRole('alert').filter({ hasText: 'Ada Admin took the report' })).toBeVisible();
});
