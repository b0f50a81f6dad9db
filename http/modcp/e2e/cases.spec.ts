import { apiAs, core, expectCases, expectReport, file, unreportedPost } from './support/api';
import { sql } from './support/sql';
import { expect, pageAs, test } from './support/test';

test('a case whose reports change meanwhile is decided not at all, and its draft stays', async ({ browser, post }) => {
  const id = await file('member3', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  await page.goto(`/modcp/cases/forum/forum.post/${post.id}`);
  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  await page.getByRole('radio', { name: /^No violation/ }).click();
  await page.route('**/moderation/cases/decide', async (route) => {
    const body = route.request().postDataJSON() as { reports: { expectedVersion: number }[] };
    body.reports[0]!.expectedVersion = 7;
    await route.continue({ postData: body });
  });
  await page.getByRole('button', { name: 'Apply to 1 report' }).click();
  const tray = page.getByRole('region', { name: 'Decisions on their way' });
  await tray.getByRole('button', { name: 'Send now' }).click();
  await expect(tray).toContainText('“No violation” was not sent. A colleague changed this in the meantime.');
  await tray.getByRole('link', { name: post.title }).click();
  await expect(page.getByRole('radio', { name: /^No violation/ })).toBeChecked();
  await expectReport(id, { status: 'new' });
});

test('a decision on one report leads to the next case, where that is chosen', async ({ browser, post }) => {
  const id = await file('member5', { targetId: post.id });
  const other = unreportedPost();
  const waiting = await file('member6', { targetId: other.id });
  const api = await apiAs('moderator');
  expect((await api.post(`${core()}/moderation/reports/${id}/claim`, { data: { expectedVersion: 1 } })).ok()).toBe(true);
  const page = await pageAs(browser, 'moderator');
  await page.goto(`/modcp/reports/${id}?target=${other.id}`);
  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  await page.getByRole('radio', { name: /^No violation/ }).click();
  await page.getByRole('switch', { name: 'Go to the next report after a decision' }).click();
  await page.getByRole('radiogroup', { name: 'What to go to after a decision' }).getByText('Next case').click();
  await expect(page.getByRole('switch', { name: 'Go to the next case after a decision' })).toBeChecked();
  await page.keyboard.press('Control+Enter');
  await expect(page).toHaveURL(new RegExp(`/modcp/cases/forum/forum.post/${other.id}`));
  await expect(page.locator('[data-verdict="1"]')).toBeVisible();
  await expectReport(waiting, { status: 'in_progress' });
  await expectReport(id, { status: 'done' });
});

test('beside the verdicts is chosen that each leads on: in the list, where nobody holds the case', async ({ browser }) => {
  for (const n of [1, 2]) {
    const post = sql(`INSERT INTO forum_posts (topic_id, category_id, author_id, title, body, locale, updated_at, published_at)
      SELECT topic_id, category_id, author_id, 'onwards ${n}', '<p>Text ${n} that leads on.</p>', locale, now(), now() FROM forum_posts ORDER BY id LIMIT 1 RETURNING id`);
    await file('member4', { targetId: post });
  }
  await expectCases('onwards', 2);
  const page = await pageAs(browser, 'moderator');
  await page.goto('/modcp/cases?search=onwards');
  const links = page.locator('a[data-case]');
  await expect(links).toHaveCount(2);
  const second = (await links.nth(1).getAttribute('href'))!;
  await links.nth(0).click();
  await page.getByRole('switch', { name: 'Go to the next case after a decision' }).check();
  await page.keyboard.press('1');
  await expect(page).toHaveURL((url) => url.pathname === second.split('?')[0]);
  await page.keyboard.press('u');

  // A note that was not sent is not left behind unsaid.
  await page.keyboard.press('n');
  await page.keyboard.type('half a note');
  await page.keyboard.press('Escape');
  await page.keyboard.press('1');
  const messages = page.getByRole('region', { name: 'Messages' });
  await expect(messages).toContainText('Your note was not sent.');
  await messages.locator('div').filter({ hasText: 'Your note was not sent.' }).getByRole('button', { name: /^Open “onwards/ }).click();
  await expect(page.getByRole('textbox', { name: 'Note' })).toHaveValue('half a note');
  await page.keyboard.press('u');
});

test('the other reports of a case are not told as look-alikes of it', async ({ browser, post }) => {
  const id = await file('member5', { targetId: post.id });
  await file('member6', { targetId: post.id });
  const api = await apiAs('moderator');
  await expect.poll(async () => ((await (await api.get(`${core()}/moderation/reports/${id}/similar?link=any`)).json()) as { edges: unknown[] }).edges.length).toBe(1);
  const page = await pageAs(browser, 'moderator');
  const asked = page.waitForResponse((answer) => answer.url().includes('/similar?'));
  await page.goto(`/modcp/cases/forum/forum.post/${post.id}`);
  expect(((await (await asked).json()) as { edges: unknown[] }).edges.length).toBe(1);
  await expect(page.getByText('2 open reports on this content')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Look-alikes' })).toHaveCount(0);
});

test('a report that is overdue says so, with its deadline', async ({ browser, post }) => {
  const id = await file('member7', { targetId: post.id });
  const dueAt = new Date(Date.now() - 3_600_000).toISOString();
  const page = await pageAs(browser, 'moderator');
  type Timeline = { edges: Record<string, unknown>[] };
  const addOverdue = ({ edges }: Timeline) =>
    edges.push({ ...edges[0]!, id: '01900000-0000-7000-8000-000000000000', sequence: 2, type: 'overdue', actor: null, data: { dueAt } });
  await page.route(`**/moderation/reports/${id}`, async (route) => {
    const answer = await route.fetch();
    const report = (await answer.json()) as { dueAt: string | null; timeline: Timeline };
    report.dueAt = dueAt;
    addOverdue(report.timeline);
    await route.fulfill({ response: answer, json: report });
  });
  // The panel reads it by itself when news comes.
  await page.route(`**/moderation/reports/${id}/timeline**`, async (route) => {
    const answer = await route.fetch();
    const timeline = (await answer.json()) as Timeline;
    addOverdue(timeline);
    await route.fulfill({ response: answer, json: timeline });
  });
  await page.goto(`/modcp/reports/${id}`);
  await expect(page.getByText(/^was due 1h ago$/)).toBeVisible();
  await expect(page.getByText(/^The report is overdue: its deadline was .*\d{4}/)).toBeVisible();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('a case tells the notes and the history of all its reports, who is looking, and takes a decision back', async ({ browser, post }) => {
  const [first, second] = [await file('member1', { targetId: post.id }), await file('member2', { targetId: post.id })];
  const colleague = await apiAs('admin');
  const noted = await colleague.post(`${core()}/moderation/reports/${second}/notes`, { data: { body: 'The police asked us to keep it visible until Friday.' } });
  expect(noted.ok()).toBe(true);
  const page = await pageAs(browser, 'moderator');
  await page.goto(`/modcp/cases/forum/forum.post/${post.id}`);
  const activity = page.getByRole('region', { name: 'Notes and history' });
  await expect(activity).toContainText('The police asked us to keep it visible until Friday.');
  await expect(activity.getByText('reported this')).toHaveCount(2);
  await page.keyboard.press('n');
  await page.keyboard.type('Seen, it stays.');
  await page.keyboard.press('Control+Enter');
  await expect(activity.locator('ol')).toContainText('Seen, it stays.');

  const other = await pageAs(browser, 'admin');
  await other.goto(`/modcp/reports/${first}`);
  await expect(page.getByText('Ada Admin is looking too')).toBeVisible();

  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  await page.getByRole('radio', { name: /^Action taken/ }).click();
  await page.getByRole('button', { name: 'What the author will read' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('checkbox', { name: 'Hide content' }).check();
  await page.getByRole('button', { name: 'Apply to 2 reports' }).click();
  // The note of the colleague was not read yet.
  await expect(page.getByRole('region', { name: 'Notes to read first' }).getByRole('alert')).toBeVisible();
  await page.getByRole('button', { name: 'Apply to 2 reports' }).click();
  await expect(page).toHaveURL(/\/modcp\/cases$/);
  await page.keyboard.press('u');
  await page.getByRole('button', { name: `Open “${post.title}”` }).click();
  await page.keyboard.press('r');
  await expect(page.getByRole('radio', { name: /^Action taken/ })).toBeChecked();
  await expect(page.getByRole('form').getByRole('checkbox', { name: 'Hide content' })).toBeChecked();
  for (const id of [first, second]) await expectReport(id, { status: 'new', version: 1 });
});
