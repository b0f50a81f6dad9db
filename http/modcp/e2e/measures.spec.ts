import { apiAs, core, expectReport, file, readReport } from './support/api';
import { axeFaults } from './support/axe';
import { decideAgainst, inDays, newAuthor, postBy, strikingRule, suspendedUntil } from './support/strikes';
import { sql } from './support/sql';
import { expect, pageAs, test } from './support/test';

interface Measured {
  measures: { kind: string; until: string | null; because: string; endedBy: string | null }[];
}

const measuresOf = async (id: string) => ((await readReport(id)) as unknown as Measured).measures;

test('a verdict with which the ladder proposes a suspension opens the form; what is shown there is imposed, and ends when another moderator overturns it', async ({ browser }) => {
  const rule = await strikingRule();
  const author = newAuthor();
  const id = await file('member2', { targetId: postBy(author).id });
  const page = await pageAs(browser, 'moderator');
  await page.goto(`/modcp/reports/${id}`);
  const verdict = page.locator('[data-verdict]', { hasText: rule.title });
  await expect(verdict).toContainText('a measure on the author is proposed');
  await page.keyboard.press((await verdict.getAttribute('data-verdict'))!);
  const form = page.getByRole('form', { name: 'Resolve' });
  const proposed = form.getByRole('checkbox', { name: 'Suspend for 7 days' });
  await expect(proposed).toBeChecked();
  await expect(form.getByText('This rule gives 2 strikes, for 365 days.')).toBeVisible();
  await expectReport(id, { status: 'new' });

  // It is changed, and a warning goes with it.
  await form.getByRole('button', { name: 'Change' }).click();
  await form.getByRole('combobox', { name: 'How long' }).click();
  await page.getByRole('option', { name: '14 days' }).click();
  await form.getByRole('button', { name: 'Add a measure' }).click();
  await expect(form.getByRole('combobox', { name: 'Measure' }).last()).toHaveValue('Warn');
  await form.getByRole('button', { name: 'What the author will read' }).click();
  await expect(page.getByRole('dialog').getByText(/^You are suspended until/)).toBeVisible();
  await expect(page.getByRole('dialog').getByText('You are warned.')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await form.getByRole('button', { name: 'Resolve report' }).click();

  // Taken back, it is as it was.
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  await expect(form.getByRole('checkbox', { name: 'Suspend for 14 days' })).toBeChecked();
  await form.getByRole('button', { name: 'Remove this measure' }).click();
  await form.getByRole('button', { name: 'Resolve report' }).click();
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect.poll(() => measuresOf(id)).toMatchObject([{ kind: 'suspend', because: 'moderator' }]);
  const [measure] = await measuresOf(id);
  expect(Math.round((Date.parse(measure!.until!) - Date.now()) / 86_400_000)).toBe(14);
  expect(suspendedUntil(author)).not.toBe('');

  const member = await pageAs(browser, author.name);
  await member.goto('/');
  await expect(member.getByText(/^You are suspended until/).first()).toBeVisible();
  await member.goto('/decisions');
  await expect(member.getByText('You have 2 strikes.')).toBeVisible();
  await member.getByRole('link', { name: 'Read the decision and appeal' }).click();
  await member.getByLabel(/^Why is the decision wrong/).fill('It was one post, not two.');
  await member.getByRole('button', { name: 'Send appeal' }).click();
  await expect(member.getByText('Another moderator will look at it.').first()).toBeVisible();

  const judge = await pageAs(browser, 'admin');
  await judge.goto('/modcp/appeals');
  await judge.getByRole('listitem').filter({ hasText: 'It was one post, not two.' }).getByRole('link').click();
  await expect(judge.getByText('Suspension').first()).toBeVisible();
  await judge.getByRole('button', { name: 'Overturn decision' }).click();
  await judge.getByRole('textbox', { name: 'Reply' }).fill('You are right.');
  await judge.getByRole('form').getByRole('button', { name: 'Overturn decision' }).click();
  await expect(judge.getByText('Decision overturned').first()).toBeVisible();
  expect(suspendedUntil(author)).toBe('');
  await member.goto('/decisions');
  await expect(member.getByText('You have no strikes.')).toBeVisible();
  await expect(member.getByText('No measure stands against you.')).toBeVisible();
});


test('a key that is pressed before the ladder has answered waits for it', async ({ browser }) => {
  const rule = await strikingRule();
  const id = await file('member1', { targetId: postBy(newAuthor()).id });
  const page = await pageAs(browser, 'moderator');
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await page.route(`**/reports/${id}/proposal?policy=${rule.key}`, async (route) => {
    await answered;
    await route.continue();
  });
  await page.goto(`/modcp/reports/${id}`);
  const verdict = page.locator('[data-verdict]', { hasText: rule.title });
  await expect(verdict).toBeVisible();
  await page.keyboard.press('n');
  await page.keyboard.type('1 or 2 of them');
  await expect(page.getByRole('textbox', { name: 'Note' })).toHaveValue('1 or 2 of them');
  await page.getByRole('heading', { level: 1 }).click();

  await page.keyboard.press((await verdict.getAttribute('data-verdict'))!);
  await expect(page.getByRole('form', { name: 'Resolve' })).toHaveCount(0);
  answer();
  await expect(page.getByRole('form', { name: 'Resolve' }).getByRole('checkbox', { name: 'Suspend for 7 days' })).toBeChecked();
  await expectReport(id, { status: 'new' });
});

test('what is not ticked is not imposed', async ({ browser }) => {
  const rule = await strikingRule();
  const id = await file('member4', { targetId: postBy(newAuthor()).id });
  const page = await pageAs(browser, 'moderator');
  await page.goto(`/modcp/reports/${id}`);
  await page.locator('[data-verdict]', { hasText: rule.title }).click();
  await page.getByRole('form').getByRole('checkbox', { name: 'Suspend for 7 days' }).uncheck();
  await page.getByRole('form').getByRole('button', { name: 'Resolve report' }).click();
  await page.getByRole('button', { name: 'Send now' }).click();
  await expectReport(id, { status: 'done' });
  expect(await measuresOf(id)).toEqual([]);
});

test('who may impose less is told what the ladder proposes, and is offered the rest', async ({ browser }) => {
  const rule = await strikingRule();
  const id = await file('member6', { targetId: postBy(newAuthor()).id });
  const page = await pageAs(browser, 'scoped');
  await page.goto(`/modcp/reports/${id}`);
  const verdict = page.locator('[data-verdict]', { hasText: rule.title });
  await expect(verdict).toContainText('Hides the content');
  await page.keyboard.press(`Shift+${await verdict.getAttribute('data-verdict')}`);
  const form = page.getByRole('form', { name: 'Resolve' });
  await expect(form.getByText(/The ladder proposes: Suspend until .*\. You cannot impose that here\./)).toBeVisible();
  await form.getByRole('button', { name: 'Add a measure' }).click();
  await form.getByRole('combobox', { name: 'Measure' }).click();
  await expect(page.getByRole('option')).toHaveText(['Warn', 'Restrict']);
  await page.getByRole('option', { name: 'Restrict' }).click();
  await form.getByRole('button', { name: 'Resolve report' }).click();
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect.poll(() => measuresOf(id)).toMatchObject([{ kind: 'restrict', because: 'moderator' }]);
});

test('one verdict on several reports imposes on each author what all of their strikes lead to, once', async ({ browser }) => {
  const rule = await strikingRule();
  const [flooder, other] = [newAuthor(), newAuthor()];
  const of = new Map<string, string[]>([[flooder.id, []], [other.id, []]]);
  for (const title of ['One', 'Two', 'Three']) of.get(flooder.id)!.push(await file('member7', { targetId: postBy(flooder, `${title} of the same`).id }));
  of.get(other.id)!.push(await file('member7', { targetId: postBy(other, 'One of another').id }));
  const ids = [...of.values()].flat();
  const page = await pageAs(browser, 'moderator');
  await page.goto('/modcp/reports');
  for (const id of ids) await page.locator(`[data-row="${id}"] input[type="checkbox"]`).check();
  await page.locator('[data-selection]').getByRole('button', { name: 'Resolve' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: /^Action taken/ }).click();
  await dialog.getByRole('checkbox', { name: 'Hide content' }).check();
  await dialog.getByRole('combobox', { name: 'Rule' }).click();
  await page.getByRole('option', { name: new RegExp(`^${rule.title}`) }).click();
  await expect(dialog.getByRole('checkbox', { name: 'Terminate' })).toBeChecked();
  await expect(dialog.getByRole('checkbox', { name: 'Suspend for 7 days' })).toBeChecked();
  await expect(dialog.getByText(/6 strikes with these decisions/)).toBeVisible();
  await expect(dialog.getByText(/2 strikes with this decision/)).toBeVisible();
  expect(await axeFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Resolve 4' }).click();
  await page.getByRole('button', { name: 'Send now' }).click();
  for (const id of ids) await expectReport(id, { status: 'done', resolution: 'action_taken' });
  const imposed = async (author: string) => (await Promise.all(of.get(author)!.map((id) => measuresOf(id)))).flat();
  expect(await imposed(flooder.id)).toMatchObject([{ kind: 'terminate', because: 'ladder' }]);
  expect(await imposed(other.id)).toMatchObject([{ kind: 'suspend', because: 'ladder' }]);
  await page.goto(`/modcp/reports/${of.get(other.id)![0]}`);
  await expect(page.getByText('Proposed by the ladder for 2 strikes').first()).toBeVisible();
});

test('a standing measure is listed, ended for a reason, and stays in the history of its author', async ({ browser }) => {
  const author = newAuthor();
  const id = await decideAgainst(author, [{ kind: 'suspend', until: inDays(3) }, { kind: 'warn' }]);
  const page = await pageAs(browser, 'moderator');
  await page.goto(`/modcp/reports/${id}`);
  await page.getByText('2 strikes', { exact: true }).waitFor();
  await page.locator('#main').getByRole('link', { name: 'Another Member' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Another Member' })).toBeVisible();
  await expect(page.getByText(/^2 strikes until/)).toBeVisible();
  const path = new URL(page.url()).pathname;

  await page.goto('/modcp/measures');
  const row = page.getByRole('listitem').filter({ has: page.locator(`a[href="${path}"]`) });
  await expect(row).toHaveCount(2);
  await page.getByRole('combobox', { name: 'Measure' }).click();
  await page.getByRole('option', { name: 'Suspension' }).click();
  await expect(row).toHaveCount(1);
  await row.getByRole('button', { name: /^End/ }).click();
  const end = page.getByRole('dialog').getByRole('button', { name: 'End', exact: true });
  await expect(end).toBeDisabled();
  await page.getByRole('dialog').getByRole('textbox').fill('It was a misunderstanding.');
  await end.click();
  await expect(row).toHaveCount(0);
  expect(suspendedUntil(author)).toBe('');

  await page.goto(path);
  await expect(page.getByText('ended a measure on')).toBeVisible();
  await page.goto(`/modcp/reports/${id}`);
  await expect(page.getByText('It was a misunderstanding.')).toBeVisible();
  await expect(page.getByText('Ended by a moderator')).toBeVisible();
});

test('an administrator builds the ladder, and gives a rule strikes', async ({ browser }) => {
  await strikingRule();
  const page = await pageAs(browser, 'admin');
  await page.goto('/admin/core/policies');
  await page.getByRole('link', { name: 'Ladder' }).click();
  await page.getByRole('button', { name: 'Add a step' }).click();
  const last = page.getByRole('listitem').filter({ has: page.getByRole('textbox', { name: 'From strikes' }) }).last();
  await last.getByRole('textbox', { name: 'From strikes' }).fill('6');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('More than in the step before')).toBeVisible();
  await last.getByRole('textbox', { name: 'From strikes' }).fill('9');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByTestId('announcer')).toContainText('The ladder was saved.');
  const api = await apiAs('admin');
  const { steps } = (await (await api.get(`${core()}/admin/ladder`)).json()) as { steps: unknown[] };
  expect(steps).toContainEqual({ strikes: 9, kind: 'suspend', days: 7 });
  await strikingRule();

  await page.goto('/admin/core/policies/edit/flooding');
  await page.getByRole('textbox', { name: 'Strikes' }).fill('11');
  await page.getByRole('button', { name: /^Publish/ }).click();
  await expect(page.getByText('Write a number from 0 to 10.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Days' })).toHaveValue('365');
});

test('an author with a hostile name is words, and breaks no line', async ({ browser }) => {
  const author = newAuthor();
  const name = `<img src=x onerror=window.__ran=1>\u202E${'x'.repeat(60)}`;
  sql(`UPDATE core_users SET name = '${name}' WHERE id = '${author.id}'`);
  const id = await decideAgainst(author, [{ kind: 'restrict' }]);
  const page = await pageAs(browser, 'moderator', { width: 380 });
  for (const path of ['/modcp/measures', `/modcp/authors/forum/${author.id}`, `/modcp/reports/${id}`]) {
    await page.goto(path);
    await expect(page.locator('main').getByText(/^<img src=x/).first()).toBeVisible();
    expect(await page.evaluate(() => ['__ran' in window, document.documentElement.scrollWidth - innerWidth])).toEqual([false, 0]);
  }
});
