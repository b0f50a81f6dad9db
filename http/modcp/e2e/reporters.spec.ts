import { apiAs, core, file, readReport, unreportedPost } from './support/api';
import { axeFaults } from './support/axe';
import { expect, pageAs, test } from './support/test';

const reporterOf = async (id: string) => ((await readReport(id)) as unknown as { reporter: { id: string } }).reporter.id;

// Other tests need the account to report.
const muted: string[] = [];
test.afterEach(async () => {
  const moderator = await apiAs('moderator');
  for (const id of muted.splice(0)) await moderator.post(`${core()}/moderation/reporters/${id}/unmute`, { data: {} });
});

test('somebody who misuses reports is muted from one, and what they file after is marked and set apart', async ({ browser, post }) => {
  const id = await file('member5', { targetId: post.id });
  const reporter = await reporterOf(id);
  muted.push(reporter);
  const page = await pageAs(browser, 'moderator');
  await page.goto(`/modcp/reports/${id}`);
  await page.getByRole('button', { name: /^Mute: .*’s mutes$/ }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('textbox', { name: 'Why' })).toBeFocused();
  await dialog.getByText('A month').click();
  await dialog.getByRole('textbox', { name: 'Why' }).fill('no');
  await expect(dialog.getByRole('button', { name: 'Mute', exact: true })).toBeDisabled();
  await dialog.getByRole('textbox', { name: 'Why' }).fill('Reports whoever they quarrel with.');
  expect(await axeFaults(page, { within: '[role="dialog"]' })).toEqual([]);
  await page.keyboard.press('Control+Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByText(/^Muted until /)).toBeVisible();

  const api = await apiAs('moderator');
  const { mutedUntil } = (await (await api.get(`${core()}/moderation/reporters/${reporter}`)).json()) as { mutedUntil: string };
  const days = (Date.parse(mutedUntil) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(29.9);
  expect(days).toBeLessThan(30.1);

  const other = unreportedPost();
  const later = await file('member5', { targetId: other.id });
  await page.goto(`/modcp/reports?target=${other.id}`);
  await expect(page.getByText('No report matches these filters')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Hide muted reporters' }).click();
  await expect(page.locator(`tr[data-row="${later}"]`)).toBeVisible();
  await page.goto(`/modcp/reports?only=muted&target=${other.id}`);
  await expect(page.locator(`tr[data-row="${later}"]`).getByText('Muted', { exact: true })).toBeVisible();
  await page.goto(`/modcp/reports/${later}`);
  await expect(page.getByText('Filed while its reporter was muted')).toBeVisible();

  await page.goto(`/modcp/cases/forum/forum.post/${post.id}`);
  await page.getByRole('button', { name: /’s mutes$/ }).first().click();
  await expect(dialog.getByText('Reports whoever they quarrel with.')).toBeVisible();
  await dialog.getByRole('button', { name: 'End the mute' }).click();
  await expect(dialog).toBeHidden();
  await page.goto(`/modcp/reports/${id}`);
  await expect(page.getByText('1 former mute')).toBeVisible();
  await expect(page.getByText(/^Muted until /)).toHaveCount(0);
});
