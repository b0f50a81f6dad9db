import { request, type Page } from '@playwright/test';
import { apiAs, core, url } from './support/api';
import { expect, pageAs, test } from './support/test';

const chosen = 'a long enough password';
let invitations = 0;

interface Invited {
  email: string;
  name: string;
  link: string;
}

/** Makes an account of the test's own, so that the demo's stay as they are. */
async function invite(): Promise<Invited> {
  const admin = await apiAs('admin');
  const name = `Nora New ${Date.now()} ${++invitations}`;
  const email = `${name.replaceAll(' ', '.')}@example.test`;
  const answer = await admin.post(`${core()}/admin/users`, { data: { email, name } });
  expect(answer.status()).toBe(201);
  const { link } = (await answer.json()) as { link: string };
  await admin.dispose();
  return { email, name, link: url() + new URL(link).pathname + new URL(link).search };
}

/** An account with a password. */
async function member(): Promise<Invited> {
  const invited = await invite();
  const guest = await request.newContext();
  const token = new URL(invited.link).searchParams.get('token');
  expect((await guest.post(`${core()}/users/reset`, { data: { token, password: chosen } })).status()).toBe(204);
  await guest.dispose();
  return invited;
}

async function signIn(page: Page, email: string, password = chosen): Promise<void> {
  await page.goto('/sign-in?next=/account');
  await page.getByLabel(/Email/).fill(email);
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function chooseByKeys(page: Page, name: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name }).focus();
  await page.keyboard.press('ArrowDown');
  const wanted = page.getByRole('option', { name: option });
  await expect(async () => {
    if ((await wanted.getAttribute('data-combobox-selected')) === null) await page.keyboard.press('ArrowDown');
    await expect(wanted).toHaveAttribute('data-combobox-selected', /.*/, { timeout: 200 });
  }).toPass();
  await page.keyboard.press('Enter');
}

test('without passwords only the provider is offered, which leads back to this site alone', async ({ browser }) => {
  const page = await pageAs(browser, null);
  await page.route('**/users/session', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...((await answer.json()) as object), signIn: { passwords: false, oidc: { name: 'Example SSO' } } } });
  });
  await page.goto('/sign-in?next=https://elsewhere.test/&oidc=unavailable');
  await expect(page.getByRole('link', { name: 'Sign in with Example SSO' })).toHaveAttribute('href', /next=%2Fstart$/);
  await expect(page.getByRole('main').getByRole('alert')).not.toContainText('password');
  await expect(page.getByRole('textbox')).toHaveCount(0);
  await expect(page.getByText('Demo accounts')).toHaveCount(0);
  await page.goto('/forgot');
  await expect(page.getByText('Passwords are switched off here.')).toBeVisible();
  await expect(page.getByRole('textbox')).toHaveCount(0);
});

test('somebody changes their name, ends sessions, makes and revokes a token that is shown once, and changes the password, which ends other sessions', async ({ browser }) => {
  const { email } = await member();
  const page = await pageAs(browser, null);
  await signIn(page, email);
  const you = page.getByRole('region', { name: 'You' });
  const change = you.getByRole('button', { name: 'Change name' });
  await expect(change).toBeDisabled();
  await you.getByLabel(/^Name/).fill('Nora\u202erenamed');
  await change.click();
  await expect(you.getByText('Only text on one line')).toBeVisible();
  await you.getByLabel(/^Name/).fill('نورا Renamed');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('announcer')).toContainText('Your name is changed');
  await page.getByRole('button', { name: 'Account and settings' }).click();
  await expect(page.getByRole('menu').getByText('نورا Renamed')).toBeVisible();
  await page.reload();
  await expect(you.getByLabel(/^Name/)).toHaveValue('نورا Renamed');

  await page.getByRole('button', { name: 'New token' }).click();
  await page.getByRole('dialog').getByLabel(/^Name/).fill('nightly export');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('it is not shown again')).toBeVisible();
  const token = await dialog.locator('code').innerText();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  const row = page.getByRole('row').filter({ hasText: 'nightly export' });
  await expect(row).toContainText('Usable');
  await expect(row).toContainText('Read');
  await expect(page.getByText(token)).toHaveCount(0);

  const program = await request.newContext({ extraHTTPHeaders: { Authorization: `Bearer ${token}` } });
  expect(await (await program.get(`${core()}/users/session`)).json()).toMatchObject({ user: { name: 'نورا Renamed' } });
  await row.getByRole('button', { name: 'Revoke nightly export' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(row).toContainText('Revoked');
  expect((await program.get(`${core()}/users/tokens`)).status()).toBe(401);
  await program.dispose();

  for (let other = 0; other < 3; other++) {
    const api = await request.newContext();
    expect((await api.post(`${core()}/users/sign-in`, { data: { email, password: chosen } })).ok()).toBe(true);
    await api.dispose();
  }
  await page.reload();
  const sessions = page.getByRole('table', { name: 'Sessions' });
  const rows = sessions.getByRole('row');
  await expect(rows).toHaveCount(5);
  await page.getByRole('button', { name: /^End the session of/ }).first().click();
  await expect(rows).toHaveCount(4);
  await page.getByRole('button', { name: 'End all others' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End all others' }).click();
  await expect(rows).toHaveCount(2);
  await expect(page.getByRole('button', { name: 'End all others' })).toHaveCount(0);

  const elsewhere = await pageAs(browser, null);
  await signIn(elsewhere, email);
  await expect(elsewhere.getByRole('heading', { name: 'Account', exact: true })).toBeVisible();
  await page.reload();
  await expect(rows).toHaveCount(3);
  const form = page.getByRole('region', { name: 'Change password' });
  await form.getByLabel(/^Current password/).fill('not the current one');
  await form.getByLabel(/^New password/).fill('another long password');
  await form.getByRole('button', { name: 'Change password' }).click();
  await expect(form.getByText('This is not your current password.')).toBeVisible();
  await form.getByLabel(/^Current password/).fill(chosen);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('announcer')).toContainText('Your password is changed');
  await expect(rows).toHaveCount(2);
  await expect(sessions).toContainText('This session');
  await expect(form.getByLabel(/^Current password/)).toHaveValue('');

  await elsewhere.reload();
  await expect(elsewhere).toHaveURL(/\/sign-in\?next=/);
  await signIn(elsewhere, email, 'another long password');
  await expect(elsewhere.getByRole('heading', { name: 'Account', exact: true })).toBeVisible();
});

test('language and theme are chosen by the keyboard alone', async ({ browser }) => {
  const page = await pageAs(browser, 'member2');
  await page.goto('/');
  await page.getByRole('button', { name: 'Account and settings' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Account' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/account$/);
  await chooseByKeys(page, 'Theme', 'Dark');
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await chooseByKeys(page, 'Language', 'العربية');
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('الحساب');
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('الحساب');
  expect((await page.getByRole('link', { name: 'Docket' }).boundingBox())!.x).toBeGreaterThan(640); // turned round
});

test('an administrator invites somebody by a link, finds, disables and enables them', async ({ browser }) => {
  const page = await pageAs(browser, 'admin');
  await page.goto('/admin/core/users');
  const name = `Ivy Invited ${Date.now()}`;
  const email = `${name.replaceAll(' ', '.')}@example.test`;
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Name/).fill(name);
  await dialog.getByLabel(/^Email/).fill('moderator@demo.test');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('There is an account with this email already.')).toBeVisible();
  await dialog.getByLabel(/^Email/).fill(email);
  await page.keyboard.press('Enter');
  await expect(dialog.locator('code')).toContainText('/reset?invitation=1&token=');
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  await page.getByRole('searchbox', { name: 'Search a name or email' }).fill(name);
  await expect(page).toHaveURL(/search=Ivy/);
  const row = page.getByRole('row').filter({ hasText: email });
  await expect(page.getByRole('table', { name: 'Users' }).getByRole('row')).toHaveCount(2);
  await row.getByRole('button', { name: `Disable ${name}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  await expect(row).toContainText('Disabled');
  await page.reload();
  await row.getByRole('button', { name: `Enable ${name}` }).click();
  await expect(row).toContainText('Active');

  const admin = await apiAs('admin');
  const { edges } = (await (await admin.get(`${core()}/admin/users?search=member2@demo.test`)).json()) as { edges: { id: string }[] };
  const made = await admin.post(`${core()}/admin/staff/entry/admin`, { data: { userId: edges[0]!.id } });
  expect(made.status()).toBe(201);
  const entry = `${core()}/admin/staff/entry/admin/${((await made.json()) as { id: string }).id}`;
  const { updatedAt } = (await (await admin.get(entry)).json()) as { updatedAt: string };
  const permissions = [{ plugin: '@platform/core', module: 'staff', permission: 'can_manage_admins' }];
  expect((await admin.patch(entry, { data: { unrestricted: false, permissions, expectedUpdatedAt: updatedAt } })).status()).toBe(200);
  const other = await pageAs(browser, 'member2');
  await other.goto('/admin/core/users?search=moderator');
  await expect(other.getByRole('table', { name: 'Users' }).getByRole('row')).toHaveCount(2);
  await expect(other.getByRole('button', { name: 'Invite' })).toHaveCount(0);
  await expect(other.getByRole('button', { name: /^Disable/ })).toHaveCount(0);
  expect((await admin.delete(entry)).ok()).toBe(true);
  await admin.dispose();

  await page.goto('/admin/core/users?search=admin');
  const self = page.getByRole('row').filter({ hasText: 'admin@demo.test' });
  await expect(self).toBeVisible();
  await expect(self.getByRole('button')).toHaveCount(0);
});
