// Goes with Chromium from a visitor's report to a hidden piece of content, and back. Its argument
// is JSON:
//   docket    the address of Docket
//   page      the address of a page of the platform that shows content to report
//   signIn    the button there that signs a member in, if there is one
//   reported  {id, text} of what is reported with <docket-report>
//   linked    {href, text} of what is reported without scripts, through a link, if the page has one
//   pictures  a folder for pictures, or nothing
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { launchOptions } from '../../http/modcp/e2e/support/chromium.mjs';

const { chromium, expect } = createRequire(new URL('../../http/modcp/package.json', import.meta.url))('@playwright/test');
const soon = expect.configure({ timeout: 15_000 });
const { docket, page: address, signIn, reported, linked, pictures } = JSON.parse(process.argv[2]);

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

  const moderator = await open();
  await moderator.goto(`${docket}/sign-in`);
  await moderator.getByRole('button', { name: /^Administrator/ }).click();
  await moderator.waitForURL(/\/modcp/);
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
  assert.deepEqual(errors, []);
  console.log('done');
} catch (error) {
  for (const page of browser.contexts().flatMap((context) => context.pages())) {
    console.error(page.url(), await page.locator('body').innerText().then((text) => text.slice(0, 1500), String));
  }
  throw error;
} finally {
  await browser.close();
}
