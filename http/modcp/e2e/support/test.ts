import { expect, test as base, type Browser, type Page } from '@playwright/test';
import { core, password, unreportedPost, url, type ForumItem } from './api';
import { startDemo } from './server';

interface Options {
  colorScheme?: 'light' | 'dark';
  locale?: 'en' | 'ar';
  width?: number;
  base?: string;
  /** No other test has it: for init scripts, and for pages that outlive a test. */
  own?: boolean;
}

/** Pages that tests have left, signed out and empty: to open one costs as much as most tests do in it. */
const idle: Page[] = [];
/** Pages that the test has and leaves. */
const lent: Page[] = [];

/** Signs a page in as one of the demo's accounts. Nothing of the test before is in it. */
export async function pageAs(browser: Browser, name: string | null, options: Options = {}): Promise<Page> {
  const own = options.own === true || options.base !== undefined;
  const page = (own ? undefined : idle.pop()) ?? (await (await browser.newContext({ baseURL: options.base ?? url(), reducedMotion: 'reduce' })).newPage());
  if (!own) lent.push(page);
  await page.setViewportSize({ width: options.width ?? 1280, height: 900 });
  await page.emulateMedia({ colorScheme: options.colorScheme ?? 'light' });
  if (options.locale !== undefined) {
    await page.goto('/robots.txt');
    await page.evaluate((locale) => localStorage.setItem('docket.locale', locale), options.locale);
  }
  if (name !== null) {
    const answer = await page.request.post(`${core(options.base)}/users/sign-in`, { data: { email: `${name}@demo.test`, password } });
    expect(answer.ok()).toBe(true);
  }
  return page;
}

/** Takes everything from a page that a test did to it, on a page of the origin that runs nothing. */
async function empty(page: Page): Promise<void> {
  const context = page.context();
  try {
    for (const event of ['console', 'dialog', 'pageerror', 'request', 'response']) page.removeAllListeners(event);
    await Promise.all(context.pages().map((other) => (other === page ? undefined : other.close())));
    await context.setOffline(false);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.clearCookies();
    await page.goto('/robots.txt', { timeout: 5_000 });
    await page.evaluate(() => (localStorage.clear(), sessionStorage.clear()));
    idle.push(page);
  } catch {
    await context.close();
  }
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
      const server = await startDemo();
      process.env.E2E_DATA = server.data;
      process.env.E2E_URL = server.url;
      await use();
      await server.stop();
    },
    { scope: 'worker', auto: true, timeout: 180_000 },
  ],
  // The server knows what is reported; a process that counts would start again after each failure.
  post: async ({}, use) => {
    await use(unreportedPost());
  },
  // A page that stays on the panel keeps a live feed, and with it the test after, on its toes.
  closed: [
    async ({ browser }, use) => {
      const before = browser.contexts();
      await use();
      await Promise.all(lent.splice(0).map(empty));
      const kept = [...before, ...idle.map((page) => page.context())];
      await Promise.all(browser.contexts().filter((context) => !kept.includes(context)).map((context) => context.close()));
    },
    { auto: true },
  ],
});

export { expect };
