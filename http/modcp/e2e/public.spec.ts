import { axeFaults } from './support/axe';
import { apiAs, core, forum, newMember, reportableRule } from './support/api';
import { startMail } from './support/mail';
import { startDemo } from './support/server';
import { expect, pageAs, test } from './support/test';

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

test('somebody without an account reports a post by its address, confirms by mail, and reads what was decided', async ({ browser }) => {
  test.setTimeout(240_000);
  const mail = await startMail();
  const docket = await startDemo({ DOCKET_NOTICES: 'on', SMTP_URL: mail.url });
  try {
    const [post] = await forum('posts', 1, docket.url);
    const english = await pageAs(browser, null, { base: docket.url });
    await english.goto('/');
    await english.getByRole('link', { name: 'Report illegal content' }).click();
    await english.getByLabel('Where is it?').fill('example');
    await english.getByLabel('Why is it illegal or against the rules?').fill('Short.');
    await english.getByRole('button', { name: 'Send notice' }).click();
    await expect(english.getByText('Explain it in 50 to 5,000 characters.')).toBeVisible();
    expect(await axeFaults(english)).toEqual([]);

    const visitor = await pageAs(browser, null, { locale: 'ar', base: docket.url, colorScheme: 'dark', width: 390 });
    await visitor.goto(`/notice?url=${encodeURIComponent(`${docket.url}/forum/posts/${post!.id}`)}`);
    await visitor.getByLabel('لماذا يخالف القانون أو القواعد؟').fill('It sells counterfeit watches under the name of our company, which is forbidden.');
    await visitor.getByLabel('أي قانون يخالف؟').fill('Trademark Act');
    await visitor.getByLabel('اسمك').fill('Ada Example');
    await visitor.getByLabel('بريدك الإلكتروني').fill('ada@example.test');
    await visitor.getByLabel('ما أقوله دقيق وكامل على حد علمي').check();
    expect(await axeFaults(visitor)).toEqual([]);
    await visitor.getByRole('button', { name: 'إرسال الإشعار' }).click();
    await expect(visitor.getByRole('main').getByRole('status')).toContainText('ada@example.test');

    const link = await mail.next();
    expect(link.to).toBe('ada@example.test');
    expect(link.html).toContain('dir="rtl"');
    await visitor.goto(/http\S+\/notice\/confirm#token=\S+/.exec(link.text)![0]);
    const confirm = visitor.getByRole('button', { name: 'تأكيد الإشعار' });
    await expect(confirm).toBeVisible();
    expect(await axeFaults(visitor)).toEqual([]);
    const moderators = await apiAs('moderator', docket.url);
    const filed = async () => ((await (await moderators.get(`${core(docket.url)}/moderation/reports?targetId=${post!.id}&status=new`)).json()) as { edges: { id: string; source: string }[] }).edges.filter(({ source }) => source === 'notice');
    expect(await filed()).toEqual([]); // it was only opened
    await confirm.focus();
    await visitor.keyboard.press('Enter');
    await expect(visitor.getByRole('main').getByRole('status')).toBeVisible();
    const [report] = await filed();

    const moderator = await pageAs(browser, 'moderator', { base: docket.url });
    await moderator.goto(`/modcp/reports/${report!.id}`);
    await expect(moderator.getByText('Notice by Ada Example')).toBeVisible();
    await expect(moderator.getByText('ada@example.test')).toBeVisible();
    await expect(moderator.getByText('Law that they name: Trademark Act')).toBeVisible();
    expect(await axeFaults(moderator)).toEqual([]);
    await moderator.getByRole('button', { name: 'Resolve', exact: true }).click();
    const form = moderator.getByRole('form', { name: 'Resolve' });
    await form.getByRole('radio', { name: /^No violation/ }).click();
    await form.getByRole('button', { name: 'Resolve report' }).click();
    await moderator.getByRole('button', { name: 'Send now' }).click();

    const outcome = await mail.next();
    expect(outcome.to).toBe('ada@example.test');
    expect(outcome.text).toContain(`/forum/posts/${post!.id}`);
    expect(outcome.text).toContain('لا يخالف القانون ولا قواعدنا');
    expect(outcome.text).toContain('فاعترض بالرد على هذه الرسالة');
    await visitor.setContent(outcome.html);
    await expect(visitor.getByText('اتخذ هذا القرار إنسان.')).toBeVisible();
  } finally {
    await docket.stop();
    mail.stop();
  }
});
