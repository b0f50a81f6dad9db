import type { Page } from '@playwright/test';
import { apiAs, core, file, password, unreportedPost } from './support/api';
import { startMail, type Mail, type MailServer } from './support/mail';
import { startProvider, type Provider } from './support/provider';
import { freeAddress, startDemo, type Demo } from './support/server';
import { sql } from './support/sql';
import { expect, pageAs, test } from './support/test';

// A server beside a real identity provider and a real mail server.
let server: Demo;
let provider: Provider;
let mail: MailServer;

test.beforeAll(async () => {
  test.setTimeout(240_000);
  const listen = await freeAddress(); // the provider must know where it sends people back to
  [provider, mail] = await Promise.all([startProvider(`http://${listen}`), startMail()]);
  server = await startDemo({ ...provider.environment, SMTP_URL: mail.url }, listen);
});

test.afterAll(async () => {
  provider.stop();
  mail.stop();
  await server.stop();
});

const chosen = 'a long enough password';

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto('/sign-in?next=/account');
  await page.getByLabel(/Email/).fill(email);
  await page.getByLabel(/^Password/).fill(chosen);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Account', exact: true })).toBeVisible();
}

/** The address that both parts of a mail lead to, which begins with the path. */
function linkOf({ text, html }: Mail, path = '/reset?'): string {
  const link = /https?:\S+/.exec(text)?.[0];
  expect(link).toContain(server.url + path);
  expect(html).toContain(`href="${link!.replaceAll('&', '&amp;')}"`);
  return link!;
}

test('a person signs in by the provider to where they wanted to go, and out again', async ({ browser }) => {
  await provider.signInAs({ sub: 'ada', name: 'Ada Lovelace', email: 'ada@example.test', email_verified: true, groups: ['staff'] });
  const page = await pageAs(browser, null, { base: server.url });
  await page.goto('/account?from=here');
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await page.getByRole('link', { name: 'Sign in with Example SSO' }).click();
  await expect(page).toHaveURL(`${server.url}/account?from=here`);
  await expect(page.getByRole('region', { name: 'You' })).toContainText('ada@example.test');
  await page.goto('/admin/core/users');
  await expect(page.getByText('No access')).toBeVisible();

  await page.goto('/account');
  await page.getByRole('button', { name: 'Account and settings' }).click();
  const ended = page.waitForResponse('**/users/sign-out');
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await ended;
  await page.goto('/account');
  await expect(page).toHaveURL(/\/sign-in\?next=/);

  // In the group of administrators from now on, and in a browser that the provider does not remember.
  await provider.signInAs({ sub: 'ada', name: 'Ada Lovelace', groups: ['admins'] });
  const again = await pageAs(browser, null, { base: server.url });
  await again.goto('/sign-in?next=/admin/core/users');
  await again.getByRole('link', { name: 'Sign in with Example SSO' }).click();
  await expect(again.getByRole('row').filter({ hasText: 'ada@example.test' })).toContainText('Ada Lovelace');
  await expect(again.getByRole('button', { name: 'Invite' })).toBeVisible();
});

test('who does not consent is told on the page', async ({ browser }) => {
  await provider.signInAs({ sub: 'ada', denies: true });
  const page = await pageAs(browser, null, { base: server.url });
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Sign in with Example SSO' }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('The sign-in by Example SSO did not work.');
});

test('a mailed invitation, and the mailed link of a forgotten password, work once', async ({ browser }) => {
  const admin = await pageAs(browser, 'admin', { base: server.url });
  await admin.goto('/admin/core/users');
  await admin.getByRole('button', { name: 'Invite' }).click();
  const dialog = admin.getByRole('dialog');
  await dialog.getByLabel(/^Name/).fill('Nora New');
  await dialog.getByLabel(/^Email/).fill('nora@example.test');
  await admin.keyboard.press('Enter');
  await expect(dialog.getByText('The invitation is on its way to nora@example.test.')).toBeVisible();
  const invitation = await mail.next();
  expect(invitation.to).toBe('nora@example.test');
  expect(invitation.html).toContain('dir="ltr"');

  const page = await pageAs(browser, null, { base: server.url });
  const link = linkOf(invitation);
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Welcome to Docket' })).toBeVisible();
  const choose = async (words: string) => {
    await page.getByLabel('New password').fill(words);
    await page.keyboard.press('Enter');
  };
  await choose('too short');
  await expect(page.getByText('A password has at least 12 characters.')).toBeVisible();
  await choose('nora@example.test');
  await expect(page.getByText('Your email cannot be your password.')).toBeVisible();
  await choose('the first of her passwords');
  await expect(page.getByRole('heading', { name: 'Your password is set' })).toBeVisible();

  // Nobody is told who has an account.
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('heading', { name: 'Forgotten password' })).toBeVisible();
  await page.getByLabel(/Email/).fill('nobody@example.test');
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByText('If there is an account for nobody@example.test')).toBeVisible();

  const arabic = await pageAs(browser, null, { base: server.url, locale: 'ar' });
  await arabic.goto('/forgot');
  await arabic.getByRole('textbox').fill('nora@example.test');
  await arabic.keyboard.press('Enter');
  const forgotten = await mail.next();
  expect(forgotten.text).toContain('مرحبا Nora New،');
  expect(forgotten.html).toContain('<html lang="ar" dir="rtl">');
  await page.goto(linkOf(forgotten));
  await choose(chosen);
  await expect(page.getByRole('heading', { name: 'Your password is set' })).toBeVisible();
  await signIn(page, 'nora@example.test');

  for (const [used, instead] of [[link, 'ask for another invitation'], [linkOf(forgotten), 'Ask for another link']] as const) {
    await page.goto(used);
    await choose('not her password at all');
    await expect(page.getByRole('heading', { name: 'This link was used already or has expired' })).toBeVisible();
    await expect(page.getByRole('main')).toContainText(instead);
  }
});

test('the mailed link to a decision shows it to its author, who signs in on the way, in Arabic too', async ({ browser }) => {
  const moderator = await apiAs('moderator', server.url);
  for (const locale of ['en', 'ar'] as const) {
    const target = unreportedPost(server.data).id;
    // The mail is in the language of the content.
    sql(`UPDATE forum_posts SET locale = '${locale}' WHERE id = ${target}`, server.data);
    const id = await file('member9', { targetId: target }, server.url);
    const reasons = `Your post names a shop: ${locale}.`;
    const decision = { expectedVersion: 1, resolution: 'action_taken', reasons };
    expect((await moderator.post(`${core(server.url)}/moderation/reports/${id}/resolve`, { data: decision })).status()).toBe(200);
    const told = [await mail.next(), await mail.next()]; // the reporter too, who reads no reasons
    const toAuthor = told.filter((one) => one.text.includes(reasons));
    expect(toAuthor).toHaveLength(1);
    expect(toAuthor[0]!.html).toContain(locale === 'ar' ? '<html lang="ar" dir="rtl">' : '<html lang="en" dir="ltr">');
    const link = linkOf(toAuthor[0]!, `/decisions/${id}`);

    const page = await pageAs(browser, null, { base: server.url, locale });
    await page.goto(link);
    await expect(page).toHaveURL(/\/sign-in\?next=/);
    await page.locator('[autocomplete="username"]').fill(toAuthor[0]!.to);
    await page.locator('[autocomplete="current-password"]').fill(password);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(link);
    await expect(page.getByText(reasons)).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', locale);
    await expect(page.getByRole('button', { name: locale === 'ar' ? 'إرسال الاعتراض' : 'Send appeal' })).toBeVisible();
  }
});

// The last test, since the provider does not come back.
test('while the provider is down the page says so, and passwords work', async ({ browser }) => {
  await server.halt();
  provider.stop();
  await server.resume();
  const page = await pageAs(browser, null, { base: server.url });
  await page.goto('/sign-in?next=/account');
  await page.getByRole('link', { name: 'Sign in with Example SSO' }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Example SSO cannot be reached right now. Try again shortly, or sign in with your password.');
  await signIn(page, 'nora@example.test');
});
