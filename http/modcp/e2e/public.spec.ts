import { axeFaults } from './support/axe';
import { apiAs, core, forum, newMember, type ForumItem } from './support/api';
import { startHost } from './support/host';
import { expect, pageAs, test } from './support/test';

/** A rule that reporters can name. */
async function reportableRule(base?: string): Promise<{ key: string; title: string }> {
  const api = await apiAs('admin', base);
  const key = `ads-${Date.now()}`;
  const title = 'No hidden advertising';
  const answer = await api.post(`${core(base)}/admin/policies`, { data: { key, title, text: 'Say so when you are paid.', template: 'You were paid and did not say so.', reportable: true } });
  expect(answer.status()).toBe(201);
  await api.dispose();
  return { key, title };
}

test('a rule is named in a report, and the form of its decision starts with it', async ({ browser, post }) => {
  const { key, title } = await reportableRule();
  const member = await pageAs(browser, newMember(), { locale: 'ar', colorScheme: 'dark', width: 390 });
  await member.goto(`/forum/posts/${post.id}`);
  await member.getByRole('button', { name: 'إبلاغ' }).click();
  const dialog = member.getByRole('dialog');
  await expect(dialog.getByRole('combobox')).toHaveCount(0);
  await dialog.getByRole('radio', { name: 'مخالفة القواعد' }).check();
  await dialog.getByRole('combobox', { name: 'أي قاعدة؟' }).click();
  await member.getByRole('option', { name: title }).last().click();
  expect(await axeFaults(member)).toEqual([]);
  const filed = member.waitForResponse((answer) => answer.url().endsWith('/moderation/reports') && answer.request().method() === 'POST');
  await dialog.getByRole('button', { name: 'إرسال البلاغ' }).click();
  const { id } = (await (await filed).json()) as { id: string };

  const page = await pageAs(browser, 'moderator');
  await page.goto(`/modcp/reports?policy=${key}`);
  await expect(page.getByRole('button', { name: `Reported under the rule ${key}` })).toBeVisible();
  await page.goto(`/modcp/reports/${id}`);
  await expect(page.locator('#reporters, [aria-labelledby=reporters]').first()).toContainText(title);
  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  const form = page.getByRole('form', { name: 'Resolve' });
  await form.getByRole('radio', { name: /^Action taken/ }).click();
  await expect(form.getByRole('combobox', { name: 'Rule' })).toHaveValue(title);
  await expect(form.getByRole('textbox', { name: 'Reasons' })).toContainText('You were paid');
  // Whoever takes the rule out is not given it again.
  await form.getByRole('combobox', { name: 'Rule' }).fill('');
  await form.getByRole('radio', { name: /^No violation/ }).click();
  await form.getByRole('radio', { name: /^Action taken/ }).click();
  expect(await axeFaults(page)).toEqual([]);
});

test('<docket-report> offers the rules that can be named', async ({ browser }) => {
  test.setTimeout(180_000);
  const host = await startHost();
  try {
    const [post] = (await forum('posts', 1, host.docket.url)) as [ForumItem];
    const page = await (await browser.newContext()).newPage();
    const open = async () => {
      await page.goto(host.page({ target: post.id, lang: 'en', member: 'Noor' }));
      await page.getByRole('button', { name: 'Report', exact: true }).click();
      await page.getByRole('radio', { name: 'It breaks the rules' }).check();
    };
    await open();
    await expect(page.getByRole('combobox')).toHaveCount(0); // none can be named yet
    const { key, title } = await reportableRule(host.docket.url);
    await open();
    await page.getByRole('combobox', { name: 'Which rule? (optional)' }).selectOption(title);
    await page.getByRole('radio', { name: 'Spam' }).check();
    await expect(page.getByRole('combobox')).toHaveCount(0);
    await page.getByRole('radio', { name: 'It breaks the rules' }).check();
    expect(await axeFaults(page)).toEqual([]);
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await page.getByRole('button', { name: 'Send report' }).click();
    await expect(page.getByRole('status')).toContainText('Thank you');
    expect((await sent).postDataJSON()).toMatchObject({ reason: 'rule_violation', policy: key });
  } finally {
    await host.stop();
  }
});
