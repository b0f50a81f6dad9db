import type { Page } from '@playwright/test';
import { axeFaults } from './support/axe';
import { byAccount, fillBoard, open, screens, visit } from './support/screens';
import { expect, pageAs, test } from './support/test';

/** Bytes, headers and all, that a first visit may cost, with the rows that other tests have made, and any one answer. */
const visitLimit = 370_000;
/** What the screens are made of where most visits begin, without the rows that they show. Who signs in sees the board next, so its code comes with that of the sign-in. */
const fileLimits: Record<string, number> = { board: 212_000, 'sign-in': 183_000 };
const answerLimit = 80_000;

const phone = { width: 380, height: 900 };

// What holds of every screen. One visit in English and one in Arabic serve all of it, since visits
// are what takes time, and pages that have run the panel before take half of it.
test.describe.configure({ timeout: 120_000 });

const pages = new Map<string | null, Page>();
test.beforeAll(async ({ browser }) => {
  await fillBoard();
  for (const [as] of byAccount()) pages.set(as, await pageAs(browser, as, { own: true }));
});
test.afterAll(() => Promise.all([...pages.values()].map((page) => page.context().close())));

for (const screen of screens) {
  test(`is light, fits a phone and has no fault for axe: ${screen.name}`, async () => {
    const page = pages.get(screen.as)!;
    await page.setViewportSize({ width: 1280, height: 900 });
    const sizesOf = screen.open === undefined ? await weighed(page) : undefined;
    await visit(page, screen);
    if (sizesOf !== undefined) requireLight(screen.name, await sizesOf());

    await open(page, screen);
    expect(await axeFaults(page, await judged(page))).toEqual([]);
    if (screen.passing === true) {
      await visit(page, screen);
      await open(page, screen);
    }
    await showIn(page, 'dark');
    // The rest of what axe looks at is the same in either theme.
    expect(await axeFaults(page, { ...(await judged(page)), rules: ['color-contrast'] })).toEqual([]);
    await requireFitting(page);

    await showIn(page, 'light');
    await page.evaluate(() => localStorage.setItem('docket.locale', 'ar'));
    await visit(page, screen);
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
    await open(page, screen, 'ar');
    expect(await axeFaults(page, { rules: ['label-content-name-mismatch'] })).toEqual([]);
    await requireFitting(page);
    await page.goto('/robots.txt'); // nothing of this screen is asked for while the next is weighed
    await page.evaluate(() => (localStorage.clear(), sessionStorage.clear()));
  });
}

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
});

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

/** Nothing of the page sticks out sideways on a phone, which it is shown on from here. */
async function requireFitting(page: Page): Promise<void> {
  await page.setViewportSize(phone);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
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

/**
 * What each answer took on the wire from here until it is asked for, as on a first visit; the live feed
 * has no end and is left out.
 */
async function weighed(page: Page): Promise<() => Promise<Size[]>> {
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  await network.send('Network.setCacheDisabled', { cacheDisabled: true });
  const asked = new Map<string, string>();
  const sizes = new Map<string, number>();
  network.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (!request.url.endsWith('/live')) asked.set(requestId, request.url);
  });
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => sizes.set(requestId, encodedDataLength));
  network.on('Network.loadingFailed', ({ requestId }) => asked.delete(requestId));
  return async () => {
    await expect.poll(() => [...asked.keys()].filter((id) => !sizes.has(id))).toEqual([]);
    await network.detach();
    return [...asked].flatMap(([id, url]) => (sizes.has(id) ? [[url, sizes.get(id)!]] : []));
  };
}
