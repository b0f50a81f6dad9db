import { expect, test as base, type Browser, type Page } from '@playwright/test';
import { core, forum, password, url, type ForumItem } from './api';

/** Signs a fresh page in as one of the demo's accounts. */
export async function pageAs(browser: Browser, name: string | null, options: { colorScheme?: 'light' | 'dark'; width?: number; base?: string } = {}): Promise<Page> {
  const context = await browser.newContext({
    baseURL: options.base ?? url(),
    colorScheme: options.colorScheme ?? 'light',
    viewport: { width: options.width ?? 1280, height: 900 },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  if (name !== null) {
    const answer = await page.request.post(`${core(options.base)}/users/sign-in`, { data: { email: `${name}@demo.test`, password } });
    expect(answer.ok()).toBe(true);
  }
  return page;
}

interface Fixtures {
  /** A post that no other test reports. */
  post: ForumItem;
  closed: void;
}

let nextPost = 0;

export const test = base.extend<Fixtures>({
  post: async ({}, use) => {
    const posts = await forum('posts');
    await use(posts[nextPost++ % posts.length]!);
  },
  // An open page keeps a live feed, and with it the test after, on its toes.
  closed: [
    async ({ browser }, use) => {
      await use();
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
    { auto: true },
  ],
});

export { expect };
