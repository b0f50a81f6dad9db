import { apiAs, core, expectReport, file } from './support/api';
import { sql } from './support/sql';
import { expect, pageAs, test } from './support/test';

test('a report shows the records of its reporter and of its content', async ({ browser, post }) => {
  const moderator = await apiAs('moderator');
  for (const [member, resolution] of [['member6', 'action_taken'], ['member7', 'no_violation']] as const) {
    const id = await file(member, { targetId: post.id });
    await moderator.post(`${core()}/moderation/reports/${id}/resolve`, { data: { expectedVersion: 1, resolution } });
  }
  const id = await file('member6', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  const content = page.getByRole('region', { name: 'Reported by' });
  // Counted figures follow the log with a moment's delay.
  await expect(async () => {
    await page.goto(`/modcp/reports/${id}`);
    await expect(content.getByText('Filed', { exact: true }).locator('..')).toHaveText('Filed3', { timeout: 2_000 });
  }).toPass();
  await expect(content.getByText('Confirmed', { exact: true }).locator('..')).toHaveText('Confirmed1');
  await expect(content.getByText('Rejected', { exact: true }).locator('..')).toHaveText('Rejected1');

  const { reporter } = (await (await moderator.get(`${core()}/moderation/reports/${id}`)).json()) as { reporter: { id: string } };
  const record = (await (await moderator.get(`${core()}/moderation/stats/reporters/${reporter.id}`)).json()) as { filed: number; open: number; upheld: number; notUpheld: number };
  expect(record.upheld).toBeGreaterThan(0);
  await expect(page.getByText(`${record.filed} reports filed: ${record.open} open, ${record.upheld} confirmed, ${record.notUpheld} rejected`).first()).toBeVisible();
  await page.getByRole('link', { name: 'Search their reports' }).first().press('Enter');
  await expect(page).toHaveURL(/status=all&search=/);
  await expect(page.locator(`[data-row="${id}"]`)).toBeVisible();
});

test('an author whose account is gone is called so, fields go by their names in the reader’s language, and the difference is read where the type is public', async ({ browser, post }) => {
  sql(`UPDATE forum_posts SET author_id = gen_random_uuid() WHERE id = ${Number(post.id)}`);
  const id = await file('member2', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  await page.route('**/moderation/target-types', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { items: { publicPath: string | null }[] };
    await route.fulfill({ response: answer, json: { items: body.items.map((item) => ({ ...item, publicPath: 'articles' })) } });
  });
  await page.route(`**/api/forum/articles/${post.id}?locale=*`, (route) => route.fulfill({ json: { id: post.id, body: 'Other words.' } }));
  await page.goto(`/modcp/reports/${id}`);
  await expect(page.getByText('Author', { exact: true }).locator('..')).toContainText('AuthorDeleted account');
  await expect(page.getByRole('heading', { level: 3, name: 'Text', exact: true })).toBeVisible();
  await expect(page.getByText('Changed since')).toBeVisible();
  await page.getByRole('button', { name: 'Account and settings' }).click();
  await page.getByRole('menuitemradio', { name: 'العربية' }).click();
  await expect(page.getByRole('heading', { level: 3, name: 'النص', exact: true })).toBeVisible();
});

test('a decision is taken back within its window, beside where it was made, and nothing was sent', async ({ browser, post }) => {
  const id = await file('member3', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  await page.goto(`/modcp/reports/${id}`);
  const form = page.getByRole('form', { name: 'Resolve' });
  await expect(page.getByRole('button', { name: 'Resolve', exact: true })).toBeVisible();
  await page.keyboard.press('r');
  await form.getByRole('radio', { name: /^Duplicate/ }).click();
  await form.getByLabel('Explanation', { exact: true }).fill('The same as the other one.');
  await page.keyboard.press('Control+Enter');
  const waiting = page.getByRole('region', { name: 'Decision' }).getByText('“Duplicate” will be sent in');
  await expect(waiting).toBeVisible();
  await expect(page.getByRole('button', { name: 'Claim', exact: true })).toBeDisabled();
  await page.keyboard.press('c');
  await page.keyboard.press('u');
  await expect(page.getByTestId('announcer')).toContainText('Nothing was sent');
  await expect(waiting).toHaveCount(0);
  await expectReport(id, { status: 'new', version: 1 });

  await page.keyboard.press('r');
  await expect(form.getByLabel('Explanation', { exact: true })).toHaveValue('The same as the other one.');
  await form.getByRole('button', { name: 'Resolve report' }).press('Enter');
  const undo = page.getByRole('button', { name: 'Undo' });
  await expect(undo).toHaveCount(1);
  await expect(page.getByRole('group', { name: 'Decision' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(undo).toBeFocused();
  await expect(undo).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Enter');
  await expect(page.getByRole('group', { name: 'Decision' })).toBeFocused();
  await expect(undo).toHaveCount(0);

  await page.keyboard.press('r');
  await form.getByRole('button', { name: 'Resolve report' }).click();
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect(page.getByText('The same as the other one.').first()).toBeVisible();
  await expectReport(id, { status: 'done', resolution: 'duplicate' });
});

test('beside the evidence the decision stays in view', async ({ browser, post }) => {
  sql(`UPDATE forum_posts SET body = repeat('<p>Many words.</p>', 120) WHERE id = ${Number(post.id)}`);
  const id = await file('member8', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  await page.route('**/moderation/reporters/*', async (route) => {
    await opened;
    await route.continue();
  });
  await page.goto(`/modcp/reports/${id}`);
  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Resolve report' })).toBeInViewport({ ratio: 1 });
  open();
  await expect(page.getByRole('link', { name: 'Search their reports' })).toBeAttached();
  await page.getByRole('region', { name: 'As it was reported' }).getByText('Content version').scrollIntoViewIfNeeded();
  await expect(page.getByRole('heading', { level: 1 })).not.toBeInViewport();
  await expect(page.getByRole('button', { name: 'Claim', exact: true })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('button', { name: 'Resolve report' })).toBeInViewport({ ratio: 1 });
});

test('a reload stays where one was', async ({ browser, post }) => {
  const id = await file('member2', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  await page.setViewportSize({ width: 1280, height: 400 });
  await page.goto(`/modcp/reports/${id}`);
  await expect(page.locator('[data-verdict="1"]')).toBeVisible();
  await page.evaluate(() => scrollTo(0, 250));
  await page.reload();
  await expect(page.locator('[data-verdict="1"]')).toBeVisible();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(250);
});

test('on paper are the evidence and the history in dark letters with exact times, and nothing to press', async ({ browser, post }) => {
  const id = await file('member3', { targetId: post.id });
  const page = await pageAs(browser, 'moderator', { colorScheme: 'dark', own: true, width: 800 });
  await page.goto(`/modcp/reports/${id}`);
  await expect(page.locator('[data-verdict="1"]')).toBeVisible();
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText(post.title);
  expect(await heading.evaluate((node) => getComputedStyle(node).color)).toBe('rgb(28, 33, 48)');
  await expect(page.getByRole('button').filter({ visible: true })).toHaveCount(0);
  await expect(page.getByRole('navigation').filter({ visible: true })).toHaveCount(0);
  expect(await page.locator('#activity time, time').first().evaluate((node) => getComputedStyle(node, '::after').content)).toContain('20');
});

test('a decision that waits is sent when the panel is left, since nobody could take it back', async ({ browser, post }) => {
  const id = await file('member5', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  await page.goto(`/modcp/reports/${id}`);
  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  await page.getByRole('radio', { name: /^No violation/ }).click();
  await page.getByRole('button', { name: 'Resolve report' }).click();
  await page.getByRole('button', { name: 'Account and settings' }).click();
  const answer = page.waitForResponse(`**/reports/${id}/resolve`);
  await page.getByRole('menuitem', { name: 'Forum' }).click();
  expect((await answer).status()).toBe(200);
  await expectReport(id, { status: 'done' });
});
