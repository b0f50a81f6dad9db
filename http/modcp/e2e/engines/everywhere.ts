import { launchOptions } from '../support/chromium.mjs';
import { core, password, url, type ForumItem } from '../support/api';
import { expect, test as base } from '../support/test';
import { startPuppeteer } from './puppeteer';
import { Screen } from './screen';
import type { Engine } from './tab';
import { startWebKit } from './webkit';

const starters = {
  chromium: () => startPuppeteer({ browser: 'chrome', ...launchOptions }),
  firefox: () => startPuppeteer({ browser: 'firefox', executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr', extraPrefsFirefox: { 'intl.accept_languages': 'en-GB', 'dom.ipc.processPrelaunch.enabled': false } }),
  webkit: startWebKit,
};

export type EngineName = keyof typeof starters;

/** ENGINES=firefox narrows it. */
const names = (process.env.ENGINES?.split(',') ?? Object.keys(starters)) as EngineName[];

/** The engines that the specs outside of this folder do not run in, for a walk that one of those takes in Chromium. */
export const others = ['firefox', 'webkit'] as const;

/** A browser of one account: its first page, and more tabs of it. */
export interface Visitor {
  page: Screen;
  newTab: () => Promise<Screen>;
}

export interface World {
  engine: EngineName;
  /** A browser of its own, signed in as one of the demo's accounts or as nobody. */
  open: (as: string | null) => Promise<Visitor>;
  /** A post that nobody has reported. */
  post: ForumItem;
}

const test = base.extend<object, { engines: (name: EngineName) => Promise<Engine> }>({
  engines: [
    async ({}, use) => {
      const started = new Map<EngineName, Promise<Engine>>();
      await use((name) => {
        const engine = started.get(name) ?? starters[name]();
        started.set(name, engine);
        return engine;
      });
      for (const engine of started.values()) await (await engine).stop();
    },
    { scope: 'worker' },
  ],
});

/**
 * A test that runs in every engine. It also fails if a page logged an error in the
 * console or had a request refused.
 */
export function everywhere(title: string, body: (world: World) => Promise<void>, only: readonly EngineName[] = names): void {
  for (const engine of names.filter((name) => only.includes(name))) {
    test(`${engine}: ${title}`, async ({ engines, post }) => {
      test.setTimeout(180_000);
      const running = await engines(engine);
      const pages: Screen[] = [];
      const close: (() => Promise<void>)[] = [];
      const open = async (as: string | null): Promise<Visitor> => {
        const browser = await running.open();
        close.push(browser.close);
        const newTab = async () => {
          const page = new Screen(await browser.newTab(), url());
          pages.push(page);
          return page;
        };
        const page = await newTab();
        if (as !== null) await signIn(page, as);
        return { page, newTab };
      };
      try {
        await body({ engine, open, post });
        for (const page of pages) expect(await page.faults().catch(() => [])).toEqual([]);
      } finally {
        for (const end of close) await end();
      }
    });
  }
}

async function signIn(page: Screen, as: string): Promise<void> {
  await page.goto('/robots.txt'); // what of this origin loads nothing else
  const request = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ email: `${as}@demo.test`, password }) };
  const status = await page.evaluate<number>(`fetch(${JSON.stringify(core())} + '/users/sign-in', ${JSON.stringify(request)}).then((answer) => answer.status)`);
  expect(status).toBe(200);
}

export { expect };
