import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { axeFaults } from './support/axe';
import { startServer, type Server } from './support/server';
import { expect, pageAs, test } from './support/test';

let server: Server;
let work: string;

test.beforeAll(async () => {
  work = mkdtempSync(join(tmpdir(), 'docket-hour-'));
  chmodSync(work, 0o755);
  server = await startServer(process.env.E2E_BINARY!, join(work, 'data'), undefined, ['--migrate'], {}, 'serve');
});

test.afterAll(async () => {
  await server.stop();
  rmSync(work, { recursive: true, force: true });
});

test('without the demo’s forum the front page leads to the panel, which asks for nothing that is not there and says what is left to do', async ({ browser }) => {
  test.setTimeout(150_000);
  const page = await pageAs(browser, null, { base: server.url });
  const missing: string[] = [];
  page.on('response', (answer) => answer.status() >= 400 && missing.push(`${answer.status()} ${answer.url()}`));
  await page.goto('/');
  await expect(page).toHaveURL(/\/sign-in$/);
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();

  await page.goto(await server.setupLink);
  await page.getByLabel(/^Name/).fill('Root');
  await page.getByLabel(/Email/).fill('root@example.test');
  await page.getByLabel(/^Password/).fill('a long enough password');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL(/\/modcp\/cases$/);
  await expect(page.getByText('Nothing to moderate is declared')).toBeVisible();
  const steps = page.getByRole('region', { name: 'First steps' });
  await expect(steps.getByRole('listitem')).toHaveCount(6);
  await expect(steps.getByRole('link')).toHaveCount(6);
  await page.goto('/');
  await expect(page).toHaveURL(/\/modcp\/cases$/);
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Opinions' })).toBeHidden();
  await page.getByRole('button', { name: /^Account/ }).click();
  await expect(page.getByRole('menuitem', { name: 'Reports' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Forum' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  expect(missing).toEqual([]);

  // A second administrator ticks a step.
  const core = '/api/@platform/core';
  const made = await page.request.post(`${core}/admin/users`, { data: { email: 'second@example.test', name: 'Second' } });
  const { id } = (await made.json()) as { id: string };
  expect((await page.request.post(`${core}/admin/staff/entry/admin`, { data: { userId: id } })).status()).toBe(201);
  await expect(async () => {
    await page.reload();
    await expect(steps.getByRole('listitem').filter({ hasText: 'Add a second administrator' })).toContainText('done', { timeout: 5_000 });
  }).toPass();
  await expect(steps.getByRole('link')).toHaveCount(5);

  expect(await axeFaults(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await axeFaults(page, { rules: ['color-contrast'] })).toEqual([]);
  await page.setViewportSize({ width: 1200, height: 900 });
  await page.goto('/admin/core/system');
  const table = page.getByRole('table', { name: 'System' });
  await expect(table.getByText('Nothing to moderate is declared.')).toBeVisible();
  const broken = await table.evaluate((node) => {
    const found: string[] = [];
    const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    while (texts.nextNode() !== null) {
      for (const word of texts.currentNode.textContent!.matchAll(/[\p{L}]+/gu)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, word.index);
        range.setEnd(texts.currentNode, word.index + word[0].length);
        if (range.getClientRects().length > 1) found.push(word[0]);
      }
    }
    return found;
  });
  expect(broken).toEqual([]);
  await page.goto('/modcp/reports');
  await expect(steps).toBeVisible();

  await page.setViewportSize({ width: 360, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);

  await steps.getByRole('button', { name: 'Don’t show again' }).click();
  await expect(steps).toHaveCount(0);
  await page.reload();
  await expect(page.getByText('Nothing to moderate is declared')).toBeVisible();
  await expect(steps).toHaveCount(0);
  await page.evaluate(() => localStorage.removeItem('docket.firstSteps'));
  await page.evaluate(() => localStorage.setItem('docket.locale', 'ar'));
  await page.reload();
  await expect(page.getByRole('region', { name: 'الخطوات الأولى' })).toBeVisible();
});
