// Goes with Chromium from a visitor's report to a hidden piece of content, and back, and then, with measure, from
// what the ladder proposes for the author to an appeal that ends it. Its argument is JSON:
//   docket    the address of Docket
//   page      the address of a page of the platform that shows content to report
//   signIn    the button there that signs a member in, if there is one
//   reported  {id, text} of what is reported with <docket-report>
//   linked    {href, text} of what is reported without scripts, through a link, if the page has one
//   measure   {rule, signIn or login, form}: the title of the rule to decide by, the button that signs the
//             author in or the address of a form for it, and the CSS selector of what lets them comment
//   pictures  a folder for pictures, or nothing
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { launchOptions } from '../../http/modcp/e2e/support/chromium.mjs';

const { chromium, expect } = createRequire(new URL('../../http/modcp/package.json', import.meta.url))('@playwright/test');
const soon = expect.configure({ timeout: 15_000 });
const { docket, page: address, signIn, reported, linked, measure, pictures } = JSON.parse(process.argv[2]);

const browser = await chromium.launch(launchOptions);
try {
  const errors = [];
  const open = async (options = {}) => {
    const page = await (await browser.newContext({ viewport: { width: 1100, height: 760 }, locale: 'en-GB', reducedMotion: 'reduce', ...options })).newPage();
    page.on('pageerror', (error) => errors.push(String(error)));
    return page;
  };
  const picture = async (page, name) => {
    if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`), animations: 'disabled' });
  };

  const visitor = await open();
  await visitor.goto(address);
  if (signIn) await visitor.getByRole('button', { name: signIn }).click();
  await visitor.locator(`docket-report[target="${reported.id}"]`).getByRole('button', { name: 'Report' }).click();
  await visitor.getByRole('radio', { name: 'Spam' }).check();
  await picture(visitor, 'report');
  await visitor.getByRole('button', { name: 'Send report' }).click();
  await soon(visitor.getByRole('status')).toContainText('Thank you');
  await visitor.getByRole('button', { name: 'Close' }).click();

  if (linked) {
    const plain = await open({ javaScriptEnabled: false });
    await plain.goto(address);
    await plain.locator(`a[href*="${linked.href}"]`).getByText('Report', { exact: true }).click();
    await soon(plain.getByText(linked.text)).toBeVisible();
    await plain.getByRole('radio', { name: 'Abuse or harassment' }).check();
    await plain.getByRole('button', { name: 'Send report' }).click();
    await soon(plain.getByRole('status')).toContainText('Thank you');
  }

  const staff = async (account) => {
    const page = await open();
    await page.goto(`${docket}/sign-in`);
    await page.getByRole('button', { name: account }).click();
    await page.waitForURL(/\/modcp/);
    return page;
  };
  const moderator = await staff(/^Administrator/);
  await moderator.goto(`${docket}/modcp/reports`);
  await moderator.locator('[data-row]').filter({ hasText: reported.text }).locator('a[data-report]').click();
  await soon(moderator.getByRole('button', { name: 'Hide content' })).toBeVisible();
  await picture(moderator, 'docket');

  await moderator.getByRole('button', { name: 'Hide content' }).click();
  await soon(moderator.getByText('Only moderators can see it.')).toBeVisible();
  await soon(moderator.getByRole('button', { name: 'Restore content' })).toBeVisible();
  await picture(moderator, 'outcome');
  await visitor.reload();
  await soon(visitor.getByText(reported.text)).toHaveCount(0);
  await picture(visitor, 'hidden');

  await moderator.getByRole('button', { name: 'Restore content' }).click();
  await soon(moderator.getByText('Everybody can see it.')).toBeVisible();
  await soon(moderator.getByRole('button', { name: 'Hide content' })).toBeVisible();
  await visitor.reload();
  await soon(visitor.getByText(reported.text)).toBeVisible();
  await picture(visitor, 'restored');

  let lifted = 0; // how long after the answer to the overturn the platform's page has the form again, in milliseconds
  if (measure) {
    const author = await open();
    await author.goto(measure.login ?? address);
    if (measure.login) {
      await author.locator('#user_login').fill('uma');
      await author.locator('#user_pass').fill('demo-password');
      await author.locator('#wp-submit').click();
      await author.waitForURL((url) => url.href !== measure.login);
    } else await author.getByRole('button', { name: measure.signIn }).click();
    const may = async () => {
      await author.goto(address);
      return [await author.locator(measure.form).count(), await author.getByText('You may not comment until').count()];
    };
    assert.deepEqual(await may(), [1, 0]);

    await moderator.getByRole('button', { name: 'Resolve', exact: true }).click();
    await moderator.getByRole('radio', { name: /^Action taken/ }).click();
    await moderator.getByRole('checkbox', { name: 'Hide content' }).check();
    await moderator.getByRole('combobox', { name: 'Rule' }).click();
    await moderator.getByRole('option', { name: measure.rule }).click();
    await soon(moderator.getByRole('checkbox', { name: 'Suspend for 7 days' })).toBeChecked();
    await moderator.getByRole('button', { name: 'Resolve report' }).click();
    await moderator.getByRole('button', { name: 'Send now' }).click();
    await soon.poll(may).toEqual([0, 1]);

    const way = author.getByRole('link', { name: 'Appeal', exact: true });
    if ((await way.count()) > 0) await way.click();
    await author.getByLabel('Why is the decision wrong?').fill('I wrote it once.');
    await author.getByRole('button', { name: 'Send appeal' }).click();
    await soon(author.getByText('Your appeal was sent.')).toBeVisible();

    const judge = await staff(/^Moderator/);
    await judge.goto(`${docket}/modcp/appeals`);
    await judge.locator('main a[href^="/modcp/appeals/"]').first().click();
    await judge.getByRole('button', { name: 'Overturn decision' }).click();
    const form = judge.getByRole('form', { name: 'Overturn decision' });
    await form.getByRole('textbox', { name: 'Reply' }).fill('You are right.');
    const answered = judge.waitForResponse((response) => response.url().endsWith('/overturn') && response.ok());
    await form.getByRole('button', { name: 'Overturn decision' }).click();
    await answered;
    const began = Date.now();
    await soon.poll(may, { intervals: [20] }).toEqual([1, 0]);
    lifted = Date.now() - began;
    await soon.poll(async () => (await may(), author.getByText(reported.text).count())).toBe(1);
  }
  assert.deepEqual(errors, []);
  console.log(`done ${lifted}`);
} catch (error) {
  for (const page of browser.contexts().flatMap((context) => context.pages())) {
    console.error(page.url(), await page.locator('body').innerText().then((text) => text.slice(0, 1500), String));
  }
  throw error;
} finally {
  await browser.close();
}
