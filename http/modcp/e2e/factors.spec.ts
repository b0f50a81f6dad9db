import { createHmac } from 'node:crypto';
import type { Browser, Page } from '@playwright/test';
import { core, password } from './support/api';
import { axeFaults } from './support/axe';
import { startMail, type MailServer } from './support/mail';
import { freeAddress, startDemo, type Demo } from './support/server';
import { sql } from './support/sql';
import { expect, pageAs, test } from './support/test';

// Passkeys belong to a host name, which the demo's address has not.
let server: Demo;
let mail: MailServer;

test.beforeAll(async () => {
  test.setTimeout(240_000);
  const listen = await freeAddress();
  mail = await startMail();
  server = await startDemo({ DOCKET_BASE_URL: `http://localhost:${listen.split(':')[1]}`, SMTP_URL: mail.url }, listen);
});

test.afterAll(async () => {
  await server.stop();
  mail.stop();
});

/** The code of an authenticator app (RFC 6238), some steps of 30 seconds from now. */
function totp(secret: string, steps = 0): string {
  const bits = [...secret.replaceAll(/\s/g, '')].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from(bits.match(/.{8}/g)!.map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const mac = createHmac('sha1', key).update(counter).digest();
  return String((mac.readUInt32BE(mac[19]! & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

const guest = (browser: Browser, options: Parameters<typeof pageAs>[2] = {}) => pageAs(browser, null, { base: server.url, ...options });

async function signIn(page: Page, name: string, next = '/account'): Promise<void> {
  await page.goto(`/sign-in?next=${next}`);
  await page.getByLabel(/Email/).fill(`${name}@demo.test`);
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

const section = (page: Page) => page.getByRole('region', { name: 'Two-step sign-in' });

const signedIn = (page: Page) => expect(page.getByRole('heading', { name: 'Account', exact: true })).toBeVisible();

/** Adds an app and returns its key and the recovery codes. */
async function addApp(page: Page): Promise<{ secret: string; used: string; recovery: string[] }> {
  await section(page).getByRole('button', { name: 'Add authenticator app' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add authenticator app' });
  await expect(dialog.getByRole('img', { name: 'QR code' })).toBeVisible();
  const secret = (await dialog.getByRole('group', { name: 'Key' }).locator('code').textContent())!;
  await dialog.getByLabel('Code').fill('000000');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('This is not the current code.')).toBeVisible();
  await expect.poll(() => Date.now() % 30_000).toBeLessThan(25_000); // on a busy machine a step may end meanwhile
  // The step before, so that the one of now is left for signing in.
  const used = totp(secret, -1);
  await dialog.getByLabel('Code').fill(used);
  await page.keyboard.press('Enter');
  const shown = page.getByRole('dialog', { name: 'Recovery codes' });
  const recovery = (await shown.locator('code').textContent())!.trim().split('\n');
  expect(recovery).toHaveLength(10);
  const download = page.waitForEvent('download');
  await shown.getByRole('link', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe('docket-recovery-codes.txt');
  await page.keyboard.press('Escape');
  await shown.getByRole('button', { name: 'I have kept them' }).click();
  return { secret, used, recovery };
}

/** Gives the page an authenticator that says yes. */
async function authenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
  });
}

test('an authenticator app is added, asked for, and its codes are good once', async ({ browser }) => {
  const page = await guest(browser);
  await signIn(page, 'member1');
  await signedIn(page);
  const { secret, used, recovery } = await addApp(page);
  await expect(section(page).getByText('10 recovery codes left')).toBeVisible();

  const other = await guest(browser);
  await signIn(other, 'member1');
  await expect(other.getByLabel('Code')).toBeFocused();
  await other.getByLabel('Code').fill('000000');
  await other.keyboard.press('Enter');
  await expect(other.getByRole('main').getByRole('alert')).toContainText('wrong or was already used');
  await other.getByLabel('Code').fill(used);
  await other.keyboard.press('Enter');
  await expect(other.getByLabel('Code')).toHaveValue('');
  await other.getByLabel('Code').fill(totp(secret, 1));
  await other.keyboard.press('Enter');
  await signedIn(other);

  const third = await guest(browser);
  await signIn(third, 'member1');
  await third.getByRole('button', { name: 'Use a recovery code instead' }).click();
  await third.getByLabel('Recovery code').fill(recovery[0]!.toUpperCase().replaceAll('-', ' '));
  await third.keyboard.press('Enter');
  await signedIn(third);
  await expect(section(third).getByText('9 recovery codes left')).toBeVisible();

  await section(third).getByRole('button', { name: 'Remove Authenticator app' }).click();
  await expect(third.getByText('your password alone signs in then')).toBeVisible();
  await third.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(section(third).getByText('your password alone signs in', { exact: false })).toBeVisible();
});

test('a passkey is added and signs in, and five wrong codes end a sign-in', async ({ browser }) => {
  const page = await guest(browser);
  await authenticator(page);
  await signIn(page, 'member2');
  await section(page).getByRole('button', { name: 'Add passkey' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Work laptop');
  await page.keyboard.press('Enter');
  const shown = page.getByRole('dialog', { name: 'Recovery codes' });
  await expect(shown.locator('code')).toContainText('-');
  await shown.getByRole('button', { name: 'I have kept them' }).click();
  await expect(section(page).getByRole('cell', { name: 'Work laptop', exact: true })).toBeVisible();

  await section(page).getByRole('button', { name: 'Add passkey' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Add passkey' }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('holds a passkey of yours already');
  await page.keyboard.press('Escape');

  for (let n = 0; n < 2; n++) {
    await page.context().clearCookies();
    await signIn(page, 'member2');
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await signedIn(page);
  }

  await page.context().clearCookies();
  await signIn(page, 'member2');
  await page.getByRole('button', { name: 'Use a recovery code instead' }).click();
  for (let n = 0; n < 4; n++) {
    await page.getByLabel('Recovery code').fill(`wrong-${n}`);
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Recovery code')).toHaveValue('');
  }
  await page.getByLabel('Recovery code').fill('wrong');
  await page.keyboard.press('Enter');
  await expect(page.getByText('This sign-in has ended')).toBeVisible();
  await page.getByRole('button', { name: 'Start over' }).click();
  await expect(page.getByLabel(/Email/)).toBeVisible();
});

test('who signed in long ago confirms it first', async ({ browser }) => {
  const page = await guest(browser);
  await authenticator(page);
  await signIn(page, 'member3');
  const { recovery } = await addApp(page);
  sql(`UPDATE core_sessions SET factor_at = factor_at - interval '11 minutes', created_at = created_at - interval '11 minutes'
    WHERE user_id = (SELECT id FROM core_users WHERE email = 'member3@demo.test')`, server.data);
  await section(page).getByRole('button', { name: 'Add passkey' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Add passkey' }).click();
  const again = page.getByRole('dialog', { name: 'Confirm it is you' });
  await again.getByLabel(/^Password/).fill(password);
  await page.keyboard.press('Enter');
  await again.getByRole('button', { name: 'Use a recovery code instead' }).click();
  await again.getByLabel('Recovery code').fill(recovery[1]!);
  await page.keyboard.press('Enter');
  await expect(section(page).getByRole('button', { name: /^Remove Chrom/ })).toBeVisible();
});

test('an administrator resets who has lost all, and sends a test mail', async ({ browser }) => {
  const page = await guest(browser);
  await signIn(page, 'member4');
  await addApp(page);
  const admin = await pageAs(browser, 'admin', { base: server.url });
  await admin.goto('/admin/core/users?search=member4');
  await admin.getByRole('button', { name: /^Reset two-step sign-in of/ }).click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Reset two-step' }).click();
  await expect(admin.getByRole('button', { name: /^Reset two-step sign-in of/ })).toHaveCount(0);
  await page.reload();
  await signIn(page, 'member4');
  await signedIn(page);

  await admin.goto('/admin/core/system');
  await admin.getByRole('button', { name: 'Send a test mail' }).click();
  await expect(admin.getByRole('region', { name: 'Messages' })).toContainText('A test mail is on its way to admin@demo.test.');
  expect((await mail.next()).to).toContain('admin@demo.test');
});

test('staff who need a second factor are led to add one', async ({ browser }) => {
  await server.halt();
  await server.resume({ DOCKET_STAFF_TWO_FACTOR: 'required' });
  const page = await guest(browser, { width: 390, colorScheme: 'dark' });
  await signIn(page, 'moderator', '/modcp/reports');
  await expect(page.getByText('Staff need two-step sign-in here.')).toBeVisible();
  expect((await page.request.get(`${core(server.url)}/moderation/reports`)).status()).toBe(403);
  expect(await axeFaults(page)).toEqual([]);
  await addApp(page);
  await expect(page.getByRole('heading', { name: 'Reports' }).first()).toBeVisible();

  const arabic = await guest(browser, { locale: 'ar', width: 390 });
  await arabic.goto('/sign-in?next=/account');
  await arabic.locator('input[type=email]').fill('moderator@demo.test');
  await arabic.locator('input[type=password]').fill(password);
  await arabic.keyboard.press('Enter');
  await expect(arabic.getByLabel('الرمز')).toBeVisible();
  expect(await axeFaults(arabic)).toEqual([]);
  await arabic.emulateMedia({ colorScheme: 'dark' });
  expect(await axeFaults(arabic, { rules: ['color-contrast'] })).toEqual([]);
  expect(await arabic.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
});
