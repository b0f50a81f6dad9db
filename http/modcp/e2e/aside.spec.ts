import { apiAs, core, expectReport, file, readReport, unreportedPost } from './support/api';
import { expect, pageAs, test } from './support/test';

test('a case is skipped with a reason by two keys: it is given back, and the next one follows', async ({ browser, post }) => {
  const id = await file('member2', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  await expect(async () => { // cases follow the log with a moment's delay
    await page.goto(`/modcp/cases?target=${post.id}`);
    await expect(page.getByRole('link', { name: post.title })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await page.keyboard.press('g');
  await page.keyboard.press('n');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(post.title);
  await expectReport(id, { status: 'in_progress' });
  await page.keyboard.press('s');
  const dialog = page.getByRole('dialog', { name: 'Skip the case' });
  await expect(dialog.getByRole('button', { name: /I do not know the language/ })).toBeFocused();
  const passed = page.waitForRequest('**/moderation/cases/pass');
  await page.keyboard.press('2');
  expect((await passed).postDataJSON()).toEqual({ target: { pluginId: 'forum', type: 'forum.post', id: post.id }, reason: 'unsure' });
  // Nothing else is within the filter, so the list follows, and what was skipped is not given again.
  await expect(page).toHaveURL(/\/modcp\/cases\?/);
  await expect.poll(async () => (await readReport(id)).assignee).toBeNull();
  await page.keyboard.press('g');
  await page.keyboard.press('n');
  await expect(page.getByRole('region', { name: 'Messages' }).getByText('Nothing to review here.').last()).toBeVisible();
  expect((await readReport(id)).assignee).toBeNull();
});

test('a case is parked until a time, says so with who, and is continued', async ({ browser, post }) => {
  await file('member3', { targetId: post.id });
  const other = unreportedPost();
  await file('member3', { targetId: other.id });
  const page = await pageAs(browser, 'moderator');
  await page.goto(`/modcp/cases/forum/forum.post/${post.id}`);
  await expect(page.locator('[data-verdict="1"]')).toBeVisible();
  await page.keyboard.press('p');
  await page.getByRole('dialog', { name: 'Park the case' }).getByRole('button', { name: /For a week/ }).click();
  await expect(page.getByRole('region', { name: 'Messages' }).getByText(/^Parked until /)).toBeVisible();
  await page.goto(`/modcp/cases/forum/forum.post/${post.id}`);
  await expect(page.getByText(/^Parked by Mo Moderator until /)).toBeVisible();
  // The list tells it, too.
  const mine = await page.context().newPage();
  await mine.goto(`/modcp/cases?target=${post.id}`);
  const mark = mine.getByRole('row').getByText(/^Parked until /);
  await expect(mark).toBeVisible();
  await expect(mark).toHaveAttribute('title', 'Parked by Mo Moderator');
  await mine.close();
  const colleague = await apiAs('admin');
  const next = await colleague.post(`${core()}/moderation/next?targetId=${post.id}`, { data: {} });
  expect(next.status()).toBe(204);
  await page.getByRole('button', { name: 'Continue now' }).click();
  await expect(page.getByText(/^Parked by/)).toHaveCount(0);
  expect((await colleague.post(`${core()}/moderation/next?targetId=${post.id}`, { data: {} })).status()).toBe(200);
});
