import { apiAs, core, file, unreportedPost } from './support/api';
import { axeFaults } from './support/axe';
import { sql } from './support/sql';
import { expect, pageAs, test } from './support/test';

/** Publishes a rule, and returns once it counts for what is filed. */
async function publish(rule: { key: string; title: string; when: string; then: object }, mode: 'shadow' | 'live'): Promise<void> {
  const admin = await apiAs('admin');
  expect((await admin.post(`${core()}/admin/rules`, { data: rule })).status()).toBe(201);
  const switched = await admin.post(`${core()}/admin/rules/${rule.key}/mode`, { data: { mode } });
  const { modeAt } = (await switched.json()) as { modeAt: string };
  await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(modeAt));
  await admin.dispose();
}

/** What rules have done to a report. */
async function ruled(id: string) {
  const moderator = await apiAs('moderator');
  const report = (await (await moderator.get(`${core()}/moderation/reports/${id}`)).json()) as { rules: { rule: string }[]; tags: string[]; target: { current: { hidden: boolean } | null } };
  await moderator.dispose();
  return { rules: report.rules.map(({ rule }) => rule).sort(), tags: report.tags, hidden: report.target.current?.hidden };
}

test('a live rule raises a case with the reason shown, tags and hides its content, and a person undoes it', async ({ browser, post }) => {
  const key = `look-here-${Date.now()}`;
  const [tag, title] = [key, 'Look here first'];
  const about = `A post of its own ${key}`;
  sql(`UPDATE forum_posts SET title = '${about}' WHERE id = ${post.id}`);
  const held = `title == ${JSON.stringify(about)}`;
  await publish({ key, title, when: `${held} && (reason == "spam" || muted)`, then: { points: 90, due: '2h', tags: [tag], hide: true } }, 'live');
  await publish({ key: `${key}-shadow`, title: 'Only recorded', when: held, then: { points: 7, tags: ['never-given'] } }, 'shadow');
  const id = await file('member5', { targetId: post.id, reason: 'spam' });
  await expect.poll(() => ruled(id)).toEqual({ rules: [key, `${key}-shadow`], tags: [tag], hidden: true });
  const other = await file('member5', { targetId: unreportedPost().id, reason: 'spam' });

  // The case stands first, and says why.
  const page = await pageAs(browser, 'moderator');
  await page.goto('/modcp/cases');
  const first = page.locator('[data-row]').first();
  await expect(first).toContainText(about);
  await expect(first.getByText(`rules: ${key} +90`, { exact: true })).toBeVisible();
  await first.getByRole('link', { name: `Only with the tag ${tag}` }).press('Enter');
  await expect(page).toHaveURL(`/modcp/cases?tag=${tag}`);
  await expect(page.locator('[data-row]')).toHaveCount(1);
  expect(await axeFaults(page)).toEqual([]);

  // The board's rows have tags, by which it is narrowed.
  await page.goto('/modcp/reports');
  const rows = page.locator('[data-row]');
  await expect(page.locator(`[data-row="${other}"]`)).toBeVisible();
  await expect(page.getByRole('button', { name: `Tag ${tag}` })).toHaveCount(0);
  await rows.getByRole('link', { name: `Only with the tag ${tag}` }).press('Enter');
  await expect(rows).toHaveCount(1);
  await expect(page).toHaveURL(`/modcp/reports?tag=${tag}`);
  await page.reload();
  await expect(rows).toHaveCount(1);
  await page.getByRole('button', { name: `Tag ${tag}` }).press('Enter');
  await expect(page).toHaveURL('/modcp/reports');
  await expect(page.locator(`[data-row="${other}"]`)).toBeVisible();

  // The report says which rules matched, why, and what they did.
  await page.locator(`[data-report="${id}"]`).click();
  const panel = page.getByRole('region', { name: 'Automated rules', exact: true });
  const [live, shadow] = [panel.getByRole('listitem').filter({ hasText: title }), panel.getByRole('listitem').filter({ hasText: 'Only recorded' })];
  await expect(live).toContainText(`What it does: +90 points, due 2h after filing, tag ${tag}, and hides the content`);
  await expect(live.locator('[dir="ltr"] code')).toHaveText([held, 'reason == "spam"']);
  await expect(live.getByText('Shadow')).toHaveCount(0);
  await expect(shadow.getByText('Shadow', { exact: true })).toBeVisible();
  await expect(shadow).toContainText('What it would do: +7 points and tag never-given');
  await expect(panel).toContainText('What a rule hid shows again once the last open report is found to be no violation.');
  await expect(page.getByText(`The rule ${key}: Hide content`)).toBeVisible();
  await expect(page.getByText('Only moderators can see it.')).toBeVisible();
  expect(await axeFaults(page)).toEqual([]);

  // In the dark, from the right and on a phone it is the same.
  const phone = await pageAs(browser, 'moderator', { colorScheme: 'dark', locale: 'ar', width: 390 });
  await phone.goto(`/modcp/reports/${id}`);
  await expect(phone.getByRole('region', { name: 'القواعد الآلية', exact: true }).locator('code').first()).toHaveText(held);
  expect(await axeFaults(phone)).toEqual([]);
  expect(await phone.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);

  // A person finds no violation, and the content shows again.
  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  await page.getByRole('radio', { name: /^No violation/ }).click();
  await page.getByRole('button', { name: 'Resolve report' }).click();
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect.poll(() => ruled(id)).toMatchObject({ hidden: false });
  await page.goto(`/modcp/reports/${id}`);
  await expect(page.getByText('Everybody can see it.')).toBeVisible();
  await expect(panel).not.toContainText('What a rule hid');
  await page.getByRole('link', { name: `Only with the tag ${tag}` }).click();
  await expect(page).toHaveURL(`/modcp/reports?status=all&tag=${tag}`);
  await expect(page.locator('[data-row]')).toHaveCount(1);

  const admin = await apiAs('admin');
  for (const done of [key, `${key}-shadow`]) await admin.post(`${core()}/admin/rules/${done}/retire`);
  await admin.dispose();
});
