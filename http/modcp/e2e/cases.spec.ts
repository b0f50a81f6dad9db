import AxeBuilder from '@axe-core/playwright';
import { apiAs, core, expectReport, file, unreportedPost } from './support/api';
import { expect, pageAs, test } from './support/test';

test('the keyboard alone takes the next case, hides its content and decides all of its reports', async ({ browser, post }) => {
  const ids = [await file('member1', { targetId: post.id, reason: 'abusive' }), await file('member2', { targetId: post.id, reason: 'abusive' })];
  const page = await pageAs(browser, 'moderator');
  await page.goto(`/modcp/cases?target=${post.id}`);
  await expect(page.getByRole('link', { name: post.title })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Priority \d+: Abusive 40, 2 reporters 9/ })).toBeVisible();

  const keys = page.keyboard;
  await keys.press('g');
  await keys.press('n');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(post.title);
  for (const id of ids) await expectReport(id, { status: 'in_progress' });
  await keys.press('h');
  await expect(page.getByRole('checkbox', { name: 'Hide content' })).toBeChecked();
  await keys.press('r');
  await expect(page.getByRole('radio', { name: /^No violation/ })).toBeFocused();
  await keys.press('ArrowDown');
  await keys.press('Space');
  await expect(page.getByRole('radio', { name: /^Action taken/ })).toBeChecked();
  await keys.press('Control+Enter');
  await expect(page.getByRole('region', { name: 'Messages' }).getByText('2 reports decided')).toBeVisible();
  for (const id of ids) await expectReport(id, { status: 'done', resolution: 'action_taken' });
  await expect(page).toHaveURL(/\/modcp\/cases\?/);
  await keys.press('g');
  await keys.press('n');
  await expect(page.getByRole('region', { name: 'Messages' }).getByText('Nothing to review here.')).toBeVisible();
});

test('a case whose reports change meanwhile is decided not at all, and its draft stays', async ({ browser, post }) => {
  const id = await file('member3', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  await page.goto(`/modcp/cases/forum/forum.post/${post.id}`);
  await page.getByRole('radio', { name: /^No violation/ }).click();
  await page.route('**/moderation/cases/decide', async (route) => {
    const body = route.request().postDataJSON() as { reports: { expectedVersion: number }[] };
    body.reports[0]!.expectedVersion = 7;
    await route.continue({ postData: body });
  });
  await page.getByRole('button', { name: 'Apply to 1 report' }).click();
  await expect(page.locator('#case-decision').getByRole('alert')).toContainText('1 report has changed meanwhile');
  await expect(page.getByRole('radio', { name: /^No violation/ })).toBeChecked();
  await expectReport(id, { status: 'new' });
});

test('a decision on one report leads to the next case, where that is chosen', async ({ browser, post }) => {
  const id = await file('member5', { targetId: post.id });
  const other = await unreportedPost();
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
  await expect(page.locator('#case-decision')).toBeVisible();
  await expectReport(waiting, { status: 'in_progress' });
  await expectReport(id, { status: 'done' });
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

for (const [scheme, locale, width] of [['light', 'en', 1280], ['dark', 'ar', 390]] as const) {
  test(`cases have no accessibility fault: ${scheme}, ${locale}, ${width}`, async ({ browser, post }) => {
    await file('member4', { targetId: post.id });
    const page = await pageAs(browser, 'moderator', { colorScheme: scheme, locale, width });
    await page.goto(`/modcp/cases?target=${post.id}`);
    await expect(page.locator('a[data-case]')).toHaveCount(1);
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    await page.screenshot({ path: `e2e/.artifacts/cases-${scheme}-${locale}.png` });
    await page.locator('a[data-case]').click();
    await expect(page.locator('#case-decision')).toBeVisible();
    await page.screenshot({ path: `e2e/.artifacts/case-${scheme}-${locale}.png`, fullPage: true });
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  });
}
