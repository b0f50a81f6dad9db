import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { apiAs, core, file, forum, readReport } from './support/api';
import { setAside } from './support/sql';
import { expect, pageAs, test } from './support/test';

interface Screen {
  name: string;
  as: string | null;
  path: string | (() => Promise<string>);
  open?: (page: Page) => Promise<void>;
}

let decided: Promise<string> | undefined;

/** A report with a note and a decision, so that its screen shows all it can. */
function decidedReport(): Promise<string> {
  decided ??= (async () => {
    const post = (await forum('posts'))[40]!;
    const id = await file('member9', { targetId: post.id, description: 'Words of the reporter.' });
    const api = await apiAs('moderator');
    const { version } = await readReport(id);
    await api.post(`${core()}/moderation/reports/${id}/notes`, { data: { body: 'Words of a moderator.' } });
    await api.post(`${core()}/moderation/reports/${id}/resolve`, { data: { expectedVersion: version, resolution: 'no_violation' } });
    return id;
  })();
  return decided;
}

const reportPath = async () => `/modcp/reports/${await decidedReport()}`;

async function poisonPath(): Promise<string> {
  setAside(await decidedReport(), 'stats.counts', 'Words of a listener that failed.');
  return '/admin/core/advanced/poison';
}

async function entryPath(): Promise<string> {
  const api = await apiAs('admin');
  const answer = await api.get(`${core()}/admin/staff/moderators`);
  const { edges } = (await answer.json()) as { edges: { id: string; user: { email: string } }[] };
  return `/admin/core/staff/moderators/${edges.find((entry) => entry.user.email === 'scoped@demo.test')!.id}`;
}

const screens: Screen[] = [
  { name: 'demo site', as: 'member1', path: '/' },
  { name: 'report dialog', as: 'member1', path: '/', open: (page) => page.getByRole('button', { name: /^Report/ }).first().click() },
  { name: 'sign-in', as: null, path: '/sign-in' },
  { name: 'board', as: 'moderator', path: '/modcp/reports?status=all' },
  { name: 'empty board', as: 'moderator', path: '/modcp/reports?search=zzzzzz' },
  { name: 'selection', as: 'moderator', path: '/modcp/reports?status=all', open: (page) => page.getByRole('checkbox').nth(1).check() },
  { name: 'report', as: 'moderator', path: reportPath },
  {
    name: 'report with its forms',
    as: 'moderator',
    path: reportPath,
    open: async (page) => {
      await page.getByRole('button', { name: /^Resolve/ }).first().click();
      await page.getByRole('textbox', { name: 'Note' }).fill('a draft');
      await page.getByText('Rich', { exact: true }).click();
      await expect(page.locator('[contenteditable="true"]')).toBeVisible();
    },
  },
  { name: 'replay', as: 'moderator', path: reportPath, open: (page) => page.getByRole('button', { name: 'Replay the history' }).click() },
  { name: 'record of a reporter', as: 'moderator', path: reportPath, open: (page) => page.getByRole('button', { name: /filed:/ }).click() },
  {
    name: 'decision that waits',
    as: 'moderator',
    path: reportPath,
    open: async (page) => {
      await page.getByRole('button', { name: /^Resolve/ }).first().click();
      await page.getByRole('radio', { name: /^No violation/ }).click();
      await page.getByRole('button', { name: 'Resolve report' }).click();
      await expect(page.getByRole('button', { name: 'Send now' })).toBeVisible();
    },
  },
  { name: 'report for a viewer', as: 'viewer', path: reportPath },
  { name: 'report not found', as: 'moderator', path: '/modcp/reports/01900000-0000-7000-8000-000000000000' },
  { name: 'help', as: 'moderator', path: '/modcp/reports', open: (page) => page.keyboard.press('?') },
  { name: 'palette', as: 'moderator', path: '/modcp/reports', open: (page) => page.keyboard.press('Control+k') },
  { name: 'user menu', as: 'moderator', path: '/modcp/reports', open: (page) => page.getByRole('button', { name: 'Account and settings' }).click() },
  { name: 'views', as: 'moderator', path: '/modcp/reports', open: (page) => page.getByRole('button', { name: 'Views' }).click() },
  { name: 'dashboard', as: 'moderator', path: '/modcp/dashboard' },
  { name: 'moderators', as: 'admin', path: '/admin/core/staff/moderators' },
  { name: 'moderator', as: 'admin', path: entryPath },
  {
    name: 'scope picker',
    as: 'admin',
    path: entryPath,
    open: async (page) => {
      await page.getByRole('button', { name: /Choose where/ }).first().click();
      await expect(page.getByRole('dialog').getByRole('checkbox').first()).toBeVisible();
    },
  },
  { name: 'scheduled jobs', as: 'admin', path: '/admin/core/advanced/cron' },
  { name: 'queue', as: 'admin', path: '/admin/core/advanced/queue' },
  { name: 'failed events', as: 'admin', path: poisonPath },
  { name: 'projections', as: 'admin', path: '/admin/core/advanced/projections' },
  { name: 'event log', as: 'admin', path: '/admin/core/events', open: (page) => page.locator('summary').first().click() },
  {
    name: 'replay of an event',
    as: 'admin',
    path: '/admin/core/events',
    open: async (page) => {
      await page.getByRole('button', { name: /^Replay to event/ }).first().click();
      await expect(page.getByRole('dialog').getByRole('slider')).toBeVisible();
    },
  },
  { name: 'webhooks', as: 'admin', path: '/admin/core/webhooks' },
  { name: 'integrations', as: 'admin', path: '/admin/core/integrations' },
  { name: 'no such page', as: 'admin', path: '/modcp/nowhere' },
  { name: 'no access', as: 'member1', path: '/modcp/reports' },
];

test.beforeAll(decidedReport);

for (const colorScheme of ['light', 'dark'] as const) {
  for (const screen of screens) {
    test(`axe finds nothing on: ${screen.name}, ${colorScheme}`, async ({ browser }) => {
      const page = await pageAs(browser, screen.as, { colorScheme });
      await page.goto(typeof screen.path === 'string' ? screen.path : await screen.path());
      await expect(page.locator('main')).toBeVisible();
      await expect(page.getByText('Loading', { exact: true })).toHaveCount(0);
      await screen.open?.(page);
      // Half-faded colours have no contrast to judge.
      await page.waitForFunction(() => [...document.querySelectorAll('[role=dialog], [role=menu]')].every((element) => getComputedStyle(element).opacity === '1'));
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => `${node.target.join(' ')} ${node.failureSummary ?? ''}`).join(' | ')}`)).toEqual([]);
    });
  }
}

test('on a phone nothing sticks out sideways', async ({ browser }) => {
  const page = await pageAs(browser, 'admin', { width: 380 });
  for (const path of ['/', '/modcp/reports?status=all', await reportPath(), '/modcp/dashboard', '/admin/core/staff/moderators', await entryPath(), '/admin/core/advanced/cron', '/admin/core/advanced/queue', await poisonPath(), '/admin/core/advanced/projections', '/admin/core/events']) {
    await page.goto(path);
    await expect(page.locator('main')).toBeVisible();
    await expect(page.getByText('Loading', { exact: true })).toHaveCount(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), path).toBeLessThanOrEqual(0);
  }
});

test('Arabic turns the panel round and stays after a reload', async ({ browser }) => {
  const page = await pageAs(browser, 'moderator');
  await page.goto('/modcp/reports');
  await page.getByRole('button', { name: 'Account and settings' }).click();
  await page.getByRole('menuitemradio', { name: 'العربية' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('البلاغات');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('البلاغات');
  const brand = (await page.getByRole('link', { name: 'Docket' }).boundingBox())!;
  expect(brand.x).toBeGreaterThan(640);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map((violation) => violation.id)).toEqual([]);
});
