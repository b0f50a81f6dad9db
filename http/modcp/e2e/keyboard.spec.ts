import type { Page } from '@playwright/test';
import { expectCases, expectReport, file, unreportedPost } from './support/api';
import { sql } from './support/sql';
import { expect, pageAs, test } from './support/test';

test('the palette opens a pasted link, copies one, and shortcuts can be switched off', async ({ browser, post }) => {
  const id = await file('member5', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  await page.goto('/modcp/reports');
  await expect(page.locator('a[data-report]').first()).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /Type a command/ }).fill(`https://example.org/modcp/reports/${id}?status=all`);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/modcp/reports/${id}$`));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(post.title);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('copy the link');
  await expect(page.getByRole('option', { name: /^Copy the link/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText('Link copied.');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.keyboard.press('?');
  const help = page.getByRole('dialog');
  await expect(help).toContainText('Ctrl Enter');
  await help.locator('kbd').last().scrollIntoViewIfNeeded();
  await expect(help.locator('kbd').last()).toBeInViewport({ ratio: 1 });
  await page.getByRole('switch', { name: 'Use keyboard shortcuts' }).uncheck({ force: true });
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('c');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expectReport(id, { status: 'new' });
});

test('what is pressed while the next case is asked for is no verdict on the report that is left', async ({ browser, post }) => {
  const id = await file('member6', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  let answer = () => {};
  let answered = Promise.resolve();
  let free = true;
  await page.route('**/moderation/next*', async (route) => {
    await answered;
    await (free ? route.continue() : route.fulfill({ status: 204 }));
  });
  const ask = async () => {
    answered = new Promise((resolve) => (answer = resolve));
    const asked = page.waitForRequest('**/moderation/next*');
    for (const key of ['g', 'n', '1']) await page.keyboard.press(key);
    await asked;
    answer();
  };
  const sent = page.getByRole('button', { name: 'Send now' });

  // Where nothing follows, it decides nothing.
  free = false;
  await page.goto(`/modcp/reports/${id}`);
  await expect(page.locator('[data-verdict="1"]')).toBeEnabled();
  await ask();
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText('Nothing to review here.');
  await expect(page.locator('[data-verdict="1"]')).toBeEnabled();
  await expect(sent).toHaveCount(0);

  // Else it is the next one's.
  free = true;
  const other = sql(`INSERT INTO forum_posts (topic_id, category_id, author_id, title, body, locale, updated_at, published_at)
    SELECT topic_id, category_id, author_id, 'Whatisnext', body, locale, now(), now() FROM forum_posts ORDER BY id LIMIT 1 RETURNING id`);
  const next = await file('member7', { targetId: other });
  await expectCases('whatisnext', 1);
  await page.goto(`/modcp/reports/${id}?search=whatisnext`);
  await expect(page.locator('[data-verdict="1"]')).toBeEnabled();
  await ask();
  await expect(page).toHaveURL(/\/modcp\/cases\?/);
  await sent.click();
  await expectReport(next, { status: 'done', resolution: 'no_violation' });
  await expectReport(id, { status: 'new', version: 1 });
});

/** Presses `n` and these letters while a report waits for an answer, until the field of the note is open; what the panel does a moment later, it does when the function is called that this returns. */
async function typedAhead(page: Page, id: string, letters: string): Promise<() => Promise<void>> {
  await page.addInitScript(() => {
    const later = window.setTimeout.bind(window);
    const kept: (() => void)[] = [];
    let keeps = false;
    window.setTimeout = ((run: () => void, pause?: number) => later(() => (keeps && !pause ? kept.push(run) : run()), pause)) as typeof window.setTimeout;
    document.addEventListener('focusin', (event) => (keeps ||= (event.target as Element).matches('textarea')));
    document.addEventListener('goOn', () => {
      keeps = false;
      for (const run of kept.splice(0)) later(run);
    });
  });
  let answer = () => {};
  const answers = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/related?*', async (route) => {
    await answers;
    await route.continue();
  });
  await page.goto(`/modcp/reports/${id}`);
  await expect(page.locator('[data-verdict="1"]')).toBeVisible();
  const note = page.getByRole('textbox', { name: 'Note' });
  await page.keyboard.press('n');
  await page.keyboard.type(letters);
  await expect(note).toHaveValue('');
  answer();
  await expect(note).toBeFocused();
  return () => page.evaluate(() => void document.dispatchEvent(new Event('goOn')));
}

test('letters that wait for a field come before those that are typed once it is open, Ctrl+Enter sends both, and what follows is no part of it', async ({ browser, post }) => {
  const id = await file('member6', { targetId: post.id });
  const page = await pageAs(browser, 'moderator', { own: true });
  const goOn = await typedAhead(page, id, '1 or 2 ');
  await page.keyboard.type('of them');
  await page.keyboard.press('Control+Enter');
  await goOn();
  await page.keyboard.press('1');
  await expect(page.locator('ol').getByText('1 or 2 of them', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Send now' }).click();
  await expectReport(id, { status: 'done', resolution: 'no_violation' });
});

test('a verdict whose rules never come holds up the keys after it for ten seconds at most, and the palette not at all', async ({ browser, post }) => {
  const id = await file('member8', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  await page.route('**/moderation/policies*', () => {});
  await page.goto(`/modcp/reports/${id}`);
  await expect(page.getByRole('button', { name: 'Resolve', exact: true })).toBeEnabled();
  await page.keyboard.press('1');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: /Type a command/ })).toHaveValue('', { timeout: 5_000 });
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('1');
  await expect(async () => {
    await page.keyboard.press('b');
    await expect(page).toHaveURL(/\/modcp\/reports$/, { timeout: 500 });
  }).toPass({ timeout: 15_000 });
  await expectReport(id, { status: 'new', version: 1 });
});

test('the row that has the focus is under no header and no bar', async ({ browser }) => {
  for (const member of ['member1', 'member2', 'member3', 'member4']) await file(member, { targetId: unreportedPost().id });
  const page = await pageAs(browser, 'moderator');
  await page.setViewportSize({ width: 720, height: 420 });
  await page.goto('/modcp/reports');
  await expect(page.locator('a[data-report]').nth(3)).toBeVisible();
  const seen = () =>
    page.evaluate(() => {
      const { left, top, height } = document.activeElement!.getBoundingClientRect();
      return document.elementFromPoint(left + 10, top + height / 2) === document.activeElement;
    });
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await expect(page.locator('[data-selection]')).toBeVisible();
  for (const key of ['j', 'j', 'j', 'k', 'k', 'k']) {
    await page.keyboard.press(key);
    expect(await seen()).toBe(true);
  }
});
