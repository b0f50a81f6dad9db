import { apiAs, core, expectReport, file, readReport, unreportedPost } from './support/api';
import { axeFaults } from './support/axe';
import { expect, pageAs, test } from './support/test';

const casePath = (id: string) => `/modcp/cases/forum/forum.post/${id}`;

async function note(id: string, body: string): Promise<string> {
  const answer = await (await apiAs('admin')).post(`${core()}/moderation/reports/${id}/notes`, { data: { body } });
  expect(answer.ok()).toBe(true);
  return ((await answer.json()) as { note: { id: string } }).note.id;
}

test('a colleague’s unread note stands above the verdicts, and the first verdict asks once to read it, and once more for another that comes then', async ({ browser, post }) => {
  const [first, second] = [await file('member1', { targetId: post.id }), await file('member2', { targetId: post.id })];
  await note(second, 'The police asked us to keep it visible until Friday.');
  const page = await pageAs(browser, 'moderator');
  // On a report as in its case: notes are those of all reports on the content.
  await page.goto(`/modcp/reports/${first}`);
  const notes = page.getByRole('region', { name: 'Notes to read first' });
  await expect(notes).toContainText('keep it visible until Friday');
  const above = (await notes.boundingBox())!;
  expect(above.y + above.height).toBeLessThanOrEqual((await page.locator('[data-verdict="1"]').boundingBox())!.y);
  await page.goto(casePath(post.id));
  await expect(notes).toContainText('keep it visible until Friday');
  await page.keyboard.press('1');
  await expect(notes.getByRole('alert')).toContainText('Read this before you decide.');
  await note(first, 'And for the police.');
  await expect(notes).toContainText('And for the police.');
  await page.keyboard.press('1');
  await expect(notes.getByRole('alert')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send now' })).toHaveCount(0);
  await page.keyboard.press('1');
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect(page.getByRole('region', { name: 'Messages' }).getByText('2 reports decided')).toBeVisible();
  for (const id of [first, second]) await expectReport(id, { status: 'done', resolution: 'no_violation' });
});

test('a note that was read is asked about no more, until it is edited; one that is pinned stays above the verdicts until it is taken down, and each action against it asks once more', async ({ browser, post }) => {
  const id = await file('member3', { targetId: post.id });
  const noteId = await note(id, 'Wait for the author.');
  const page = await pageAs(browser, 'moderator');
  await page.goto(`/modcp/reports/${id}`);
  const notes = page.getByRole('region', { name: 'Notes to read first' });
  const tab = await page.context().newPage();
  await tab.goto(`/modcp/reports/${id}`);
  await expect(tab.getByRole('region', { name: 'Notes to read first' })).toBeVisible();
  await notes.getByRole('button', { name: 'Mark as read' }).click();
  await expect(notes).toHaveCount(0);
  await expect(tab.getByRole('region', { name: 'Notes to read first' })).toHaveCount(0);
  await tab.close();
  await page.reload();
  await expect(page.getByRole('region', { name: 'Notes and history' })).toContainText('Wait for the author.');
  await expect(notes).toHaveCount(0);
  const edited = await (await apiAs('admin')).post(`${core()}/moderation/reports/${id}/notes/${noteId}/edit`, { data: { body: 'Wait for the lawyer.' } });
  expect(edited.ok()).toBe(true);
  await expect(notes).toContainText('Wait for the lawyer.');

  await notes.getByRole('button', { name: 'Mark as read' }).click();
  await page.getByRole('region', { name: 'Notes and history' }).getByRole('button', { name: 'Pin', exact: true }).click();
  await page.getByRole('dialog', { name: 'Pin' }).getByRole('button', { name: /For a week/ }).click();
  await expect(notes).toContainText(/pinned until /);
  await page.keyboard.press('h');
  await expect(notes.getByRole('alert')).toBeVisible();
  await expect(page.getByText('Everybody can see it.')).toBeVisible();
  await page.keyboard.press('h');
  await expect(page.getByText('Only moderators can see it.')).toBeVisible();
  // In the case and for a colleague, too.
  const colleague = await pageAs(browser, 'admin');
  await colleague.goto(casePath(post.id));
  await expect(colleague.getByRole('region', { name: 'Notes to read first' })).toContainText(/pinned until /);
  await colleague.keyboard.press('1');
  await expect(colleague.getByRole('region', { name: 'Notes to read first' }).getByRole('alert')).toBeVisible();
  await notes.getByRole('button', { name: 'Unpin' }).click();
  await expect(notes).toHaveCount(0);
});

test('a verdict that is pressed while notes are read waits for them', async ({ browser, post }) => {
  const [first, second] = [await file('member4', { targetId: post.id }), await file('member5', { targetId: post.id })];
  await note(second, 'Do not decide this alone.');
  const page = await pageAs(browser, 'moderator');
  let read = () => {};
  const reading = new Promise<void>((resolve) => (read = resolve));
  await page.route(`**/moderation/reports/${second}/timeline**`, async (route) => {
    await reading;
    await route.continue();
  });
  await page.goto(casePath(post.id));
  await expect(page.locator('[data-verdict="1"]')).toBeVisible();
  await page.keyboard.press('1');
  await expect(page.getByRole('button', { name: 'Send now' })).toHaveCount(0);
  read();
  await expect(page.getByRole('region', { name: 'Notes to read first' }).getByRole('alert')).toBeVisible();
  expect((await readReport(first)).status).toBe('new');
});

test('the newest note of a long history is asked about, and nothing is decided while notes cannot be read', async ({ browser, post }) => {
  const [first, second] = [await file('member6', { targetId: post.id }), await file('member7', { targetId: post.id })];
  await note(first, 'Wait for the lawyer.');
  await note(second, 'And for the author.');
  const page = await pageAs(browser, 'moderator');
  // Its first page, and what comes with the report, end before the note.
  await page.route(`**/moderation/reports/${first}/timeline?first=50`, (route) => route.continue({ url: route.request().url().replace('first=50', 'first=1') }));
  await page.route(`**/moderation/reports/${first}`, async (route) => {
    const report = (await (await route.fetch()).json()) as { timeline: { edges: unknown[] } };
    await route.fulfill({ json: { ...report, timeline: { ...report.timeline, edges: report.timeline.edges.slice(0, 1) } } });
  });
  const timeline = `**/moderation/reports/${second}/timeline**`;
  await page.route(timeline, (route) => route.fulfill({ status: 500, json: { error: 'internal', message: '' } }));
  await page.goto(`/modcp/reports/${first}`);
  const failure = page.getByRole('alert').filter({ hasText: 'Notes of colleagues could not be read' });
  await expect(failure).toBeVisible();
  await expect(page.locator('[data-verdict="1"]')).toBeDisabled();
  await page.unroute(timeline);
  await failure.getByRole('button', { name: 'Try again' }).click();
  const notes = page.getByRole('region', { name: 'Notes to read first' });
  await expect(notes).toContainText('And for the author.');
  await expect(notes).toContainText('Wait for the lawyer.');
  await page.keyboard.press('1');
  await expect(notes.getByRole('alert')).toContainText('Read this before you decide.');
  await expectReport(first, { status: 'new' });
});

test('a case has what a report has: claim, form, and what was decided or taken under one’s hands', async ({ browser, post }) => {
  const ids = [await file('member6', { targetId: post.id, description: 'First words.' }), await file('member7', { targetId: post.id, description: `Second words, ${'many of them, '.repeat(80)}to the end.` })];
  const page = await pageAs(browser, 'moderator');
  await page.goto(casePath(post.id));
  const words = page.getByRole('region', { name: '2 open reports' });
  await expect(words).toContainText('First words.');
  await words.getByRole('button', { name: 'Show all' }).click();
  await expect(words.getByText(/to the end\.$/)).toBeVisible();
  await page.keyboard.press('c');
  for (const id of ids) await expectReport(id, { status: 'in_progress' });
  await page.keyboard.press('h');
  await expect(page.getByText('Only moderators can see it.')).toBeVisible();
  await page.keyboard.press('r');
  await expect(page.getByRole('form', { name: 'Resolve' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('form')).toHaveCount(0);
  const colleague = await apiAs('admin');
  const resolved = await colleague.post(`${core()}/moderation/reports/${ids[0]}/resolve`, { data: { expectedVersion: (await readReport(ids[0]!)).version, resolution: 'no_violation' } });
  expect(resolved.ok()).toBe(true);
  await expect(page.getByRole('region', { name: '1 open report' })).toBeVisible();
  const { user } = (await (await colleague.get(`${core()}/users/session`)).json()) as { user: { id: string } };
  const taken = await colleague.post(`${core()}/moderation/reports/${ids[1]}/assign`, { data: { expectedVersion: (await readReport(ids[1]!)).version, assigneeId: user.id } });
  expect(taken.ok()).toBe(true);
  await expect(page.getByText('1 report is held by somebody else and is left out.')).toBeVisible();
  await expect(page.locator('[data-verdict="1"]')).toBeDisabled();
});

test('j and k walk the list of cases, of which the next two are read ahead, and b leads back to the row that was left', async ({ browser, post }) => {
  await file('member8', { targetId: post.id });
  for (let more = 0; more < 2; more++) await file('member8', { targetId: unreportedPost().id });
  const page = await pageAs(browser, 'moderator');
  await page.goto('/modcp/cases');
  const links = page.locator('a[data-case]');
  await expect(links.nth(2)).toBeVisible();
  const ahead = await Promise.all([1, 2].map((index) => links.nth(index).getAttribute('href')));
  const read = ahead.map((href) => page.waitForResponse((response) => response.url().includes(`targetId=${href!.split('/').at(-1)!.split('?')[0]}`) && response.url().includes('status=')));
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/modcp\/cases\/forum/);
  for (const answer of read) expect((await answer).ok()).toBe(true);
  const first = page.url();
  await page.keyboard.press('j');
  await expect(page).not.toHaveURL(first);
  await page.keyboard.press('k');
  await expect(page).toHaveURL(first);
  await page.keyboard.press('j');
  await expect(page).not.toHaveURL(first);
  await page.keyboard.press('b');
  await expect(page).toHaveURL(/\/modcp\/cases$/);
  await expect(links.nth(1)).toBeFocused();
});

test('cases are the first list; a row tells the text first and why it stands where it does, and Space peeks', async ({ browser, post }) => {
  const id = await file('member2', { targetId: post.id, reason: 'abusive' });
  const page = await pageAs(browser, 'moderator');
  await page.goto('/modcp');
  await expect(page).toHaveURL(/\/modcp\/cases$/);
  await page.goto(`/modcp/cases?target=${post.id}`);
  const link = page.locator('a[data-case]');
  const { snapshot } = (await readReport(id)) as unknown as { snapshot: { title: string } };
  const told = (await link.innerText()).split('\n').filter((line) => line.trim() !== '');
  expect(told.at(-1)).toBe(snapshot.title);
  expect(told[0]).not.toBe(snapshot.title);
  await expect(page.getByText('Abusive +40', { exact: true })).toBeVisible();
  await expect(page.locator('tr[data-row]')).toContainText(/Priority \d+: Abusive 40/);
  await page.keyboard.press('j');
  await expect(link).toBeFocused();
  await page.keyboard.press(' ');
  const peek = page.getByRole('dialog', { name: 'Case preview' });
  await expect(peek.getByRole('region', { name: 'As it was reported' })).toBeVisible();
  expect(await axeFaults(page, { within: '[role="dialog"]' })).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(peek).toHaveCount(0);
  await expectReport(id, { status: 'new', version: 1 });
});
