import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as base, type Browser, type Page } from '@playwright/test';
import { core, password, unreportedPost, url, type ForumItem } from './api';
import { startServer } from './server';
import { sql } from './sql';

interface Options {
  colorScheme?: 'light' | 'dark';
  locale?: 'en' | 'ar';
  width?: number;
  base?: string;
}

/** The demo's password at the least cost that a hash can have: tests sign in all the time. */
const cheapHash = '$argon2id$v=19$m=8,t=1,p=1$c2FsdC1mb3ItdGVzdHM$trKDU+hKOflBn/6OTzVClekrGXWG5VDaT5zto/SMZHo';

/** Signs a fresh page in as one of the demo's accounts. */
export async function pageAs(browser: Browser, name: string | null, options: Options = {}): Promise<Page> {
  const context = await browser.newContext({
    baseURL: options.base ?? url(),
    colorScheme: options.colorScheme ?? 'light',
    viewport: { width: options.width ?? 1280, height: 900 },
    reducedMotion: 'reduce',
  });
  if (options.locale !== undefined) await context.addInitScript((locale) => localStorage.setItem('docket.locale', locale), options.locale);
  const page = await context.newPage();
  if (name !== null) {
    const answer = await page.request.post(`${core(options.base)}/users/sign-in`, { data: { email: `${name}@demo.test`, password } });
    expect(answer.ok()).toBe(true);
  }
  return page;
}

interface Fixtures {
  /** A post that nobody has reported. */
  post: ForumItem;
  closed: void;
}

export const test = base.extend<Fixtures, { demo: void }>({
  // One demo a worker, whose tests run one after the other.
  demo: [
    async ({}, use) => {
      const work = mkdtempSync(join(tmpdir(), 'docket-e2e-'));
      // Local mode runs PostgreSQL as an unprivileged user, who must reach the folder.
      chmodSync(work, 0o755);
      process.env.E2E_DATA = join(work, 'data');
      // DEMO_ARGS="--import DIR" runs the tests on other content than the demo's own.
      const server = await startServer(process.env.E2E_BINARY!, process.env.E2E_DATA, undefined, process.env.DEMO_ARGS?.split(' '));
      process.env.E2E_URL = server.url;
      sql(`UPDATE core_users SET password_hash = '${cheapHash}' WHERE demo`);
      await use();
      await server.stop();
      rmSync(work, { recursive: true, force: true });
    },
    { scope: 'worker', auto: true, timeout: 180_000 },
  ],
  // The server knows what is reported; a process that counts would start again after each failure.
  post: async ({}, use) => {
    await use(unreportedPost());
  },
  // An open page keeps a live feed, and with it the test after, on its toes.
  closed: [
    async ({ browser }, use) => {
      const before = browser.contexts();
      await use();
      await Promise.all(browser.contexts().filter((context) => !before.includes(context)).map((context) => context.close()));
    },
    { auto: true },
  ],
});

export { expect };
