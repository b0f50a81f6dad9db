import { apiAs, core, expectReport, readReport } from './support/api';
import { campaign } from './support/campaign';
import { publishedPolicy } from './support/screens';
import { expect, pageAs, test } from './support/test';

test('look-alikes are compared, one is left out, and one verdict that can be undone decides the rest, by keyboard', async ({ browser }) => {
  const ids = await campaign('orchids', ['nine', 'nine', 'seven', 'five']);
  const page = await pageAs(browser, 'moderator');
  await page.goto(`/modcp/reports/${ids[0]}`);
  await expect(page.getByText('3 open reports with the same link or nearly the same text')).toBeVisible();
  await page.getByRole('button', { name: 'Compare and decide' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Look-alikes' });
  const cards = dialog.getByRole('list', { name: 'Look-alikes' }).getByRole('listitem');
  await expect(cards).toHaveCount(4);
  await expect(cards.filter({ hasText: 'Ready' })).toHaveCount(4);
  await expect(cards.nth(0)).toContainText('This report');
  await expect(cards.nth(1)).toContainText('The same text.');
  await expect(cards.nth(2).locator('ins')).toHaveText(/five|seven/);
  await expect(cards.nth(2).locator('del')).toContainText('nine');

  // The last is left out.
  for (let n = 0; n < 3; n++) await page.keyboard.press('j');
  await page.keyboard.press('x');
  await expect(cards.nth(3).getByRole('button', { name: 'Take in again' })).toBeFocused();
  const out = (await cards.nth(3).getByRole('link').getAttribute('href'))!.split('/').at(-1)!;
  await dialog.getByRole('checkbox', { name: 'Hide content' }).check();
  await dialog.getByRole('radio', { name: /^Action taken/ }).click();
  const apply = dialog.getByRole('button', { name: 'Apply to 3 reports' });
  await apply.press('Enter');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByTestId('announcer')).toContainText('Nothing was sent');
  await expectReport(ids[0]!, { status: 'new' });

  await page.keyboard.press('Control+k');
  await page.keyboard.type('compare');
  await expect(page.getByRole('option', { name: /Compare and decide/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(cards.filter({ hasText: 'Ready' })).toHaveCount(4);
  await cards.nth(3).getByRole('button', { name: 'Leave out' }).click();
  await dialog.getByRole('checkbox', { name: 'Hide content' }).check();
  await dialog.getByRole('radio', { name: /^Action taken/ }).click();
  await apply.click();
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect(page.getByText('3 done, none failed').first()).toBeVisible();
  for (const id of ids) await expectReport(id, id === out ? { status: 'new' } : { status: 'done', resolution: 'action_taken' });
  await expect(page.getByText('1 open report with the same link or nearly the same text')).toBeVisible();
});

test('what is pressed while look-alikes are read is for their dialog, which opens on the report that asked only; what a colleague took meanwhile is left to them', async ({ browser }) => {
  const ids = await campaign('tulips', ['nine', 'seven']);
  const page = await pageAs(browser, 'moderator');
  const asked: (() => Promise<void>)[] = [];
  await page.route(/\/similar\?.*first=100/, (route) => void asked.push(() => route.continue()));
  await page.goto('/modcp/reports');
  await page.locator(`[data-row="${ids[0]}"]`).getByRole('link').first().click();
  await page.getByRole('button', { name: 'Compare and decide' }).press('Enter');
  await expect.poll(() => asked.length).toBe(1);
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('1');
  await asked[0]!();
  await expect(page.getByRole('dialog', { name: 'Look-alikes' }).getByRole('listitem')).toHaveCount(2);
  expect(await page.getByText(/will be sent/).count()).toBe(0);
  await page.keyboard.press('Escape');

  // One that was left does not come after.
  await page.getByRole('button', { name: 'Compare and decide' }).click();
  await expect.poll(() => asked.length).toBe(2);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Reports' })).toBeVisible();
  const answer = page.waitForResponse(/\/similar\?.*first=100/);
  await asked[1]!();
  await answer;
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: /Type a command/ })).toBeVisible();
  await expect(page.getByRole('dialog', { name: 'Look-alikes' })).toHaveCount(0);
  await page.unroute(/\/similar\?.*first=100/);

  await page.goto(`/modcp/reports/${ids[0]}`);
  await page.getByRole('button', { name: 'Compare and decide' }).click();
  const dialog = page.getByRole('dialog', { name: 'Look-alikes' });
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Ready' })).toHaveCount(2);
  await (await apiAs('admin')).post(`${core()}/moderation/reports/${ids[1]}/claim`, { data: { expectedVersion: 1 } });
  await dialog.getByRole('radio', { name: /^No violation/ }).click();
  await dialog.getByRole('button', { name: 'Apply to 2 reports' }).click();
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect(page.getByText('1 done, 1 failed').first()).toBeVisible();
  await expectReport(ids[1]!, { status: 'in_progress' });

  // One that they hold already is not offered.
  await page.goto(`/modcp/reports/${ids[0]}`);
  await page.getByRole('button', { name: 'Compare and decide' }).click();
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Taken by Ada Admin' }).getByRole('button', { name: 'Leave out' })).toBeDisabled();
});

test('links show where they lead, what came of them, and are opened by a confirmation', async ({ browser }) => {
  const ids = await campaign('mosses', ['nine', 'seven'], 'https://раураl.example/mosses');
  await (await apiAs('moderator')).post(`${core()}/moderation/reports/${ids[1]}/resolve`, { data: { expectedVersion: 1, resolution: 'action_taken' } });
  const page = await pageAs(browser, 'moderator');
  await page.goto(`/modcp/reports/${ids[0]}`);
  const links = page.getByRole('region', { name: 'Links' });
  await expect(links).toContainText('xn--l-7sba6dbr.example');
  await expect(links).toContainText('Mixed scripts');
  await expect(links).toContainText('Seen in 1 other report, 1 acted on');
  await links.getByRole('button').press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Open this link?' });
  await expect(dialog).toContainText('https://раураl.example/mosses');
  await expect(dialog).toContainText('it may imitate another');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expect(dialog.getByRole('link', { name: 'Open in a new tab' })).toHaveAttribute('rel', /noopener/);
});

test('beside a rule stands what it led to for content like it', async ({ browser }) => {
  const key = await publishedPolicy();
  const moderator = await apiAs('moderator');
  const ids = await campaign('lichens', ['nine', 'nine', 'seven']);
  const { edges } = (await (await moderator.get(`${core()}/moderation/policies?key=${key}`)).json()) as { edges: { version: number }[] };
  for (const id of ids.slice(1)) {
    const answer = await moderator.post(`${core()}/moderation/reports/${id}/resolve`, { data: { expectedVersion: (await readReport(id)).version, resolution: 'action_taken', policy: { key, version: edges[0]!.version } } });
    expect(answer.ok()).toBe(true);
  }
  await expect.poll(async () => ((await (await moderator.get(`${core()}/moderation/reports/${ids[0]}/precedents?policy=${key}`)).json()) as { similar: number }).similar).toBe(2);
  const page = await pageAs(browser, 'moderator');
  await page.goto(`/modcp/reports/${ids[0]}`);
  await expect(page.getByRole('region', { name: 'Links' })).toBeVisible();
  await page.keyboard.press('r');
  await page.getByRole('radio', { name: /^Action taken/ }).click();
  await page.getByRole('combobox', { name: 'Rule' }).click();
  await expect(page.getByRole('option', { name: /No advertising/ })).toContainText('Of 2 reports like it 2 were acted on');
  await page.getByRole('option', { name: /No advertising/ }).click();
  await page.getByRole('button', { name: 'Examples' }).click();
  await expect(page.getByRole('link', { name: /of lichens/ })).toHaveCount(2);
});
