import type { Page, ViewportSize } from '@playwright/test';
import { axeFaults } from './support/axe';
import { byAccount, fillBoard, open, publishedPolicy, turnTo, visit } from './support/screens';
import { strikingRule } from './support/strikes';
import { expect, pageAs, test } from './support/test';

/** Bytes that a first visit may cost, with the rows that other tests have made, and any one answer. */
const visitLimit = 350_000;
/** What the screens are made of where most visits begin, without the rows that they show. Who signs in sees the board next, so its code comes with that of the sign-in. */
const fileLimits: Record<string, number> = { board: 198_000, 'sign-in': 182_000 };
const answerLimit = 80_000;

const wide = { width: 1280, height: 900 };
/** Little wider than where tables become cards. */
const narrow = { width: 690, height: 900 };
const phone = { width: 380, height: 900 };

// What holds of every screen, in English and, on a phone, in Arabic. To load the panel is what takes time, so that it
// is loaded anew only to be weighed.
test.describe.configure({ timeout: 120_000 });

for (const [as, shown] of byAccount()) {
  test.describe(`as ${as ?? 'a guest'}`, () => {
    let page: Page;
    /** What the console told in red. */
    const told: string[] = [];
    test.beforeAll(async ({ browser }) => {
      await fillBoard();
      await publishedPolicy(); // a panel that runs hears late of rules
      await strikingRule();
      page = await pageAs(browser, as, { own: true });
      page.on('console', (message) => message.type() === 'error' && told.push(`${message.text()} ${message.location().url}`));
    });
    test.afterAll(() => page.context().close());

    for (const screen of shown) {
      test(`is light, fits a phone and has no fault for axe: ${screen.name}`, async () => {
        told.length = 0;
        await page.setViewportSize(wide);
        if (screen.open === undefined) {
          await page.goto('/robots.txt'); // nothing is left of the screen before
          await page.evaluate(() => (localStorage.clear(), sessionStorage.clear()));
          await visit(page, screen);
        } else await turnTo(page, screen);

        await open(page, screen);
        await requireFitting(page, wide);
        expect(await axeFaults(page, await judged(page))).toEqual([]);
        if (screen.open === undefined) requireLight(screen.name, await sizesOf(page));
        if (screen.passing === true) {
          await visit(page, screen);
          await open(page, screen);
        }
        await showIn(page, 'dark');
        await speak(page, 'ar');
        await requireFitting(page, wide, narrow, phone);
        await page.setViewportSize(wide);
        // The rest of what axe looks at is the same in either theme and language.
        expect(await axeFaults(page, { ...(await judged(page)), rules: ['color-contrast', 'label-content-name-mismatch'] })).toEqual([]);
        await speak(page, 'en');
        await requireFitting(page, phone, narrow);
        await showIn(page, 'light');
        if (screen.passing === true) await page.goto('/robots.txt');
        expect(told.filter((line) => screen.refused === undefined || !line.includes(screen.refused))).toEqual([]);
      });
    }
  });
}

/** What lies above a screen is judged alone; the screen below has a turn of its own. */
async function judged(page: Page): Promise<{ within?: string }> {
  const above = '[role=dialog], [role=menu]';
  return (await page.locator(above).count()) > 0 ? { within: above } : {};
}

/** The panel follows the system's theme while it is open. */
async function showIn(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', theme);
}

/** The panel follows the language that another tab chooses, too. */
async function speak(page: Page, locale: 'en' | 'ar'): Promise<void> {
  await page.evaluate((chosen) => {
    localStorage.setItem('docket.locale', chosen);
    dispatchEvent(new StorageEvent('storage'));
  }, locale);
  await expect(page.locator('html')).toHaveAttribute('dir', locale === 'ar' ? 'rtl' : 'ltr');
}

/** In none of the sizes sticks anything out sideways, nor a table out of its frame. One without a class is for screen readers, or scrolls. */
async function requireFitting(page: Page, ...sizes: ViewportSize[]): Promise<void> {
  const excess = () => {
    const tables = [...document.querySelectorAll<HTMLElement>('table[class]')];
    return Math.max(document.documentElement.scrollWidth - innerWidth, ...tables.map((table) => table.offsetWidth - table.parentElement!.clientWidth));
  };
  for (const size of sizes) {
    await page.setViewportSize(size);
    await expect.poll(() => page.evaluate(excess)).toBeLessThanOrEqual(0);
  }
}

type Size = [url: string, bytes: number];

function requireLight(name: string, sizes: Size[]): void {
  const sum = (some: Size[]) => some.reduce((total, [, size]) => total + size, 0);
  expect(sum(sizes)).toBeGreaterThan(50_000);
  expect(sum(sizes)).toBeLessThan(visitLimit);
  const files = sizes.filter(([url]) => !url.includes('/api/'));
  const limit = fileLimits[name];
  if (limit !== undefined) {
    expect(sum(files)).toBeLessThan(limit);
    expect(files.filter(([url]) => url.includes('/administration-'))).toEqual([]); // nor do they say what only administrators read
  }
  expect(sizes.filter(([, size]) => size > answerLimit)).toEqual([]);
}

/** What each answer takes on the wire without its head, also one that came from the cache. The live feed has no end and is none. */
const sizesOf = (page: Page) =>
  page.evaluate(() => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map((entry): Size => [entry.name, (entry as PerformanceResourceTiming).encodedBodySize]));
