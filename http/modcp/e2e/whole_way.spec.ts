import { execFileSync } from 'node:child_process';
import type { Page } from '@playwright/test';
import { apiAs, authorOf, core, newMember, url, type ForumItem } from './support/api';
import { expect, pageAs, test } from './support/test';

interface Notice {
  kind: string;
  reportId: string;
}

/** The kinds of the notices about a report that an account has. */
async function told(page: Page, reportId: string): Promise<string[]> {
  const { edges } = (await (await page.request.get(`${core()}/users/notices?first=100`)).json()) as { edges: Notice[] };
  return edges.filter((notice) => notice.reportId === reportId).map((notice) => notice.kind);
}

/** Files a report on the demo site and gives its id. */
async function report(member: Page, post: ForumItem, words: string): Promise<string> {
  await member.goto(`/forum/posts/${post.id}`);
  await member.getByRole('button', { name: /^Report/ }).click();
  await member.getByRole('radio', { name: /^Spam/ }).check();
  await member.getByLabel(/^Details/).fill(words);
  const filed = member.waitForResponse((answer) => answer.url().endsWith('/moderation/reports') && answer.request().method() === 'POST');
  await member.getByRole('button', { name: 'Send report' }).click();
  return ((await (await filed).json()) as { id: string }).id;
}

test('a member reports, a rule is applied, the author appeals, another moderator overturns, and the log tells it all', async ({ browser, post }) => {
  test.slow();
  const key = `rule-${Date.now()}`;
  const admin = await apiAs('admin');
  const policy = { key, title: `No shops ${key}`, text: 'Shops are not allowed.', template: 'Your post names a shop.' };
  expect((await admin.post(`${core()}/admin/policies`, { data: policy })).status()).toBe(201);
  const guest = await pageAs(browser, null);
  const isPublic = async () => (await guest.request.get(`${url()}/api/forum/posts/${post.id}`)).status();

  const member = await pageAs(browser, newMember());
  const id = await report(member, post, 'Secret words of the reporter.');
  const author = await authorOf(id);

  const maker = await pageAs(browser, 'moderator');
  await maker.goto(`/modcp/reports/${id}`);
  await maker.getByRole('button', { name: 'Hide content' }).click();
  await expect(maker.getByText('Only moderators can see it.')).toBeVisible();
  expect(await isPublic()).toBe(404);
  await maker.getByRole('button', { name: 'Resolve', exact: true }).click();
  await maker.getByRole('radio', { name: /^Action taken/ }).click();
  await maker.getByRole('combobox', { name: 'Rule' }).fill(key);
  await maker.getByRole('option', { name: new RegExp(key) }).click();
  const reasons = maker.getByRole('textbox', { name: 'Reasons for the author' });
  await expect(reasons).toContainText('Your post names a shop.');
  await reasons.press('Control+End');
  await reasons.pressSequentially(' Post it again without.');
  await maker.getByRole('button', { name: 'What the author will read' }).click();
  const preview = maker.getByRole('dialog');
  await expect(preview).toContainText('Your post names a shop. Post it again without.');
  await expect(preview).toContainText(policy.title);
  await preview.getByRole('button', { name: 'Close' }).click();
  await maker.getByRole('button', { name: 'Resolve report' }).click();
  await maker.getByRole('button', { name: 'Send now' }).click();
  await expect(maker.getByRole('region', { name: 'Decision' }).getByRole('link', { name: policy.title })).toBeVisible();

  // The queue that is open already hears of the appeal.
  const judge = await pageAs(browser, 'admin');
  await judge.goto('/modcp/appeals');
  await expect(judge.getByRole('heading', { name: 'Appeals' })).toBeVisible();

  // The author is told, and finds the decision from the notice and among their own.
  const writer = await pageAs(browser, author);
  await expect(async () => {
    await writer.goto('/');
    await expect(writer.locator(`section[aria-labelledby="notices"] a[href="/decisions/${id}"]`).first()).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await writer.getByRole('link', { name: 'Decisions about me' }).click();
  await writer.locator(`a[href="/decisions/${id}"]`).click();
  await expect(writer.getByText('Your post names a shop. Post it again without.')).toBeVisible();
  await expect(writer.getByText('The content was hidden from the public.')).toBeVisible();
  await expect(writer.getByText('Secret words of the reporter.')).toHaveCount(0);
  await writer.getByLabel(/^Why is the decision wrong/).fill('I own no shop.');
  await writer.getByRole('button', { name: 'Send appeal' }).click();
  await expect(writer.getByText('Another moderator will look at it.').first()).toBeVisible();

  // Whoever decided does not decide again.
  await maker.getByRole('link', { name: 'Appeals' }).click();
  await maker.getByRole('link', { name: 'All open' }).click();
  await maker.getByRole('listitem').filter({ hasText: 'I own no shop.' }).getByRole('link').click();
  await expect(maker.getByText('so somebody else decides')).toBeVisible();
  await expect(maker.getByRole('button', { name: 'Overturn decision' })).toHaveCount(0);

  // The second moderator works by keyboard alone.
  await judge.getByRole('listitem').filter({ hasText: 'I own no shop.' }).getByRole('link').focus();
  await judge.keyboard.press('Enter');
  await expect(judge.getByText('I own no shop.')).toBeVisible();
  await expect(judge.getByText('Your post names a shop.')).toBeVisible();
  await judge.keyboard.press('o');
  const reply = judge.getByRole('textbox', { name: 'Reply' });
  await reply.press('Escape');
  await expect(reply).toHaveCount(0);
  await judge.keyboard.press('o');
  await expect(reply).toBeFocused();
  await reply.fill('You are right.');
  expect(await isPublic()).toBe(404);
  const overturned = judge.waitForResponse((answer) => answer.url().endsWith('/overturn'));
  await reply.press('Control+Enter');
  expect((await overturned).status()).toBe(200);
  expect(await isPublic(), 'the first look after the answer').toBe(200);
  await expect(judge.getByText('Decision overturned').first()).toBeVisible();
  await expect(judge.getByRole('main')).toBeFocused();
  await guest.goto(`/forum/posts/${post.id}`);
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText(post.title);

  // Everybody concerned is told once: of the decision, of the appeal, and the reporter of both outcomes.
  const concerned: [Page, string[]][] = [[member, ['report', 'report']], [writer, ['appeal', 'decision']], [maker, []], [judge, []]];
  for (const [page, kinds] of concerned) {
    await expect.poll(async () => (await told(page, id)).sort()).toEqual(kinds);
  }
  await writer.reload();
  await expect(writer.getByText('You are right.')).toBeVisible();

  // The replay shows each step.
  await maker.goto(`/modcp/reports/${id}`);
  await maker.getByRole('button', { name: 'Replay the history' }).click();
  const replay = maker.getByRole('dialog');
  const steps = [
    ['reported this', 'New'],
    ['Hide content', 'New'],
    ['resolved it: Action taken', 'Done'],
    ['appealed as the author', 'Done'],
    ['overturned the decision', 'Done'],
    ['Restore content', 'Done'],
    ['resolved it: No violation', 'No violation'],
  ] as const;
  for (const [step, [event, state]] of [...steps.entries()].reverse()) {
    await expect(replay.getByText(`Event ${step + 1} of ${steps.length}`)).toBeVisible();
    await expect(replay.locator('[aria-live]')).toContainText(event);
    await expect(replay.locator('dl')).toContainText(state);
    if (step > 0) await replay.getByRole('button', { name: 'Previous event' }).click();
  }

  const environment = { ...process.env, DOCKET_DATA_DIR: process.env.E2E_DATA!, DATABASE_URL: '', LOG_LEVEL: 'error' };
  execFileSync(process.env.E2E_BINARY!, ['audit', 'verify'], { env: environment, stdio: 'pipe' });
});
