import { file, unreportedPost } from './support/api';
import { axeFaults } from './support/axe';
import { expect, pageAs, test } from './support/test';

test('a rule is written with completion, mended, published, tried in the shadow, made live, retired, and its versions stand side by side', async ({ browser }) => {
  const post = unreportedPost();
  const reported = await file('member6', { targetId: post.id, reason: 'abusive' });
  const title = `Rude posts ${Date.now()}`;
  const page = await pageAs(browser, 'admin');
  await page.goto('/admin/core/rules');
  await page.getByRole('link', { name: 'New automated rule' }).click();
  await expect(page.getByText('Nothing is known of what nobody reported')).toBeVisible();
  const form = page.getByRole('form');
  await form.getByRole('button', { name: 'Publish' }).click();
  await expect(form.getByText('Write a title of 1 to 200 characters.')).toBeVisible();
  await expect(form.getByText('Let the rule do something')).toBeVisible();

  // Completion, by keys alone.
  const condition = form.getByLabel('Condition (CEL)');
  const list = page.getByRole('listbox', { name: 'Completions' });
  await condition.pressSequentially('rea');
  await expect(list.getByRole('option')).toHaveText([/^reason string/, /^reasons map/]);
  await expect(list.getByRole('option', { name: 'reason string' })).toHaveAttribute('aria-selected', 'true');
  expect(await axeFaults(page)).toEqual([]);
  await condition.press('ArrowDown');
  await condition.press('ArrowUp');
  await condition.press('Enter');
  await expect(condition).toHaveValue('reason');
  await condition.pressSequentially(' == "rude" && titl');
  await condition.press('Escape');
  await expect(list).toHaveCount(0);
  await condition.press('Control+Space');
  await condition.press('Enter');
  await condition.pressSequentially('.con');
  await condition.press('Enter');
  await condition.pressSequentially('x');
  await expect(condition).toHaveValue('reason == "rude" && title.contains("x")');
  await condition.fill('reason == "abusive" && titel == "x"');
  await expect(page.getByText('1 fault')).toBeVisible();
  await condition.fill(`reason == "abusive" && (muted || title == ${JSON.stringify(post.title)})`);

  // While it is typed: which of the newest reports match, and which parts held.
  const tried = page.getByRole('list', { name: 'Tried on the newest reports' });
  await expect(tried.getByRole('link', { name: post.title })).toBeVisible();
  await expect(tried.locator('code')).toHaveText(['reason == "abusive"', `title == ${JSON.stringify(post.title)}`]);

  await form.getByLabel('Title').fill(title);
  await form.getByLabel('Points of the priority').fill('20');
  await form.getByLabel('Deadline after filing').fill('4h');
  await form.getByLabel('Tags').fill('rude, urgent');
  await page.reload();
  await expect(form.getByLabel('Tags')).toHaveValue('rude, urgent');
  await form.getByRole('button', { name: 'Publish' }).click();

  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  const versions = page.getByRole('region', { name: 'Versions' });
  await expect(versions).toContainText('+20 points, due 4h after filing, and tags rude, urgent');
  const mode = page.getByRole('region', { name: 'Mode' });
  const dialog = page.getByRole('dialog');
  await mode.getByRole('button', { name: 'Switch to shadow' }).click();
  await dialog.getByRole('button', { name: 'Switch to shadow' }).click();
  await expect(mode).toContainText('records what it matches, and changes nothing');
  await mode.getByRole('button', { name: 'Switch to live' }).click();
  const week = dialog.getByRole('region', { name: 'What it would have matched in the last seven days' });
  await expect(week.getByText(/^1 of \d+ reports? matched$/)).toBeVisible();
  await expect(week.getByRole('link', { name: reported })).toBeVisible();
  expect(await axeFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Switch to live' }).click();
  await expect(mode).toContainText('acts on every report');
  // It counts for what is filed a second later.
  const live = Date.now();
  await expect.poll(() => Date.now() - live).toBeGreaterThan(1_500);
  await file('member7', { targetId: post.id, reason: 'abusive' });
  const matches = page.getByRole('region', { name: 'What it has matched' });
  await expect(matches.getByRole('row', { name: 'Version 1, Live' })).toContainText(/^Version 1, Live11000/);

  // The next version is compared with this one on the whole log, and keeps its mode.
  await expect(page.getByRole('button', { name: 'Publish version 2' })).toBeDisabled();
  await form.getByLabel('Points of the priority').fill('30');
  await condition.fill('reason == "abusive"');
  await form.getByRole('button', { name: 'Back-test against version 1' }).click();
  await expect(page.getByText(/^Both match 2, this condition alone \d+, the published version alone 0\.$/)).toBeVisible();
  await page.getByRole('link', { name: 'Compared with version 1' }).click();
  await form.getByRole('button', { name: 'Publish version 2' }).click();
  await expect(versions.getByRole('article', { name: 'Version 1' })).toContainText('+20 points');
  await expect(versions.getByRole('article', { name: 'Version 2' })).toContainText('+30 points');
  await expect(versions.getByRole('article', { name: 'Version 2' }).locator('[data-changed]')).toHaveCount(2);
  await expect(mode).toContainText('Live');

  await page.getByRole('button', { name: 'Retire' }).click();
  await dialog.getByRole('button', { name: 'Retire' }).click();
  await expect(page.getByText('This rule is retired.')).toBeVisible();
  await page.getByRole('link', { name: 'Automated rules' }).first().click();
  const row = page.getByRole('row', { name: title });
  await expect(row).toContainText('Retired');
  await row.getByRole('link').click();
  await form.getByRole('button', { name: 'Publish version 3' }).click();
  await expect(mode).toContainText('As a draft the rule does nothing.');
  await page.getByRole('button', { name: 'Retire' }).click();
  await dialog.getByRole('button', { name: 'Retire' }).click();
  await expect(page.getByText('This rule is retired.')).toBeVisible();
});

test('the list of completions stays on a phone, and stands under the caret where words read from the right', async ({ browser }) => {
  const page = await pageAs(browser, 'admin', { locale: 'ar', width: 390 });
  await page.goto('/admin/core/rules/new');
  const condition = page.locator('textarea');
  await condition.pressSequentially('reporters == 1 && reporters == 2 && tex');
  const list = page.getByRole('listbox');
  await expect(list.getByRole('option')).toHaveCount(1);
  const box = (await list.boundingBox())!;
  expect(box.x).toBeGreaterThanOrEqual(0);
  expect(box.x + box.width).toBeLessThanOrEqual(390);
  expect(await axeFaults(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await list.getByRole('option').click();
  await expect(condition).toHaveValue(/&& text$/);
  await expect(condition).toBeFocused();
});
