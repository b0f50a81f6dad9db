import type { Page } from '@playwright/test';
import { axeFaults } from './support/axe';
import { byAccount, fillBoard, open, screens, visit } from './support/screens';
import { expect, pageAs, test } from './support/test';

const themes = ['light', 'dark'] as const;
type Theme = (typeof themes)[number];

test.beforeAll(fillBoard);

for (const screen of screens) {
  test(`axe finds nothing in either theme on: ${screen.name}`, async ({ browser }) => {
    const page = await pageAs(browser, screen.as);
    await visit(page, screen);
    await open(page, screen);
    expect(await faultsOf(page, 'light')).toEqual([]);
    if (screen.passing === true) {
      await visit(page, screen);
      await open(page, screen);
    }
    expect(await faultsOf(page, 'dark')).toEqual([]);
  });
}

for (const locale of ['en', 'ar'] as const) {
  test(`on a phone nothing sticks out sideways, ${locale}`, async ({ browser }) => {
    test.setTimeout(300_000);
    const wide: string[] = [];
    for (const [as, shown] of byAccount()) {
      const page = await pageAs(browser, as, { width: 380, locale });
      for (const screen of shown) {
        await visit(page, screen);
        await open(page, screen, locale);
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (over > 0) wide.push(`${screen.name}: ${over} px`);
      }
    }
    expect(wide).toEqual([]);
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

test('axe finds nothing in Arabic, in either theme', async ({ browser }) => {
  test.setTimeout(480_000);
  const faults: string[] = [];
  for (const [as, shown] of byAccount(screens.filter((screen) => screen.open === undefined))) {
    const page = await pageAs(browser, as, { locale: 'ar' });
    for (const screen of shown) {
      await visit(page, screen);
      for (const theme of themes) faults.push(...(await faultsOf(page, theme)).map((fault) => `${screen.name}, ${theme}: ${fault}`));
    }
  }
  expect(faults).toEqual([]);
});

/** The panel follows the system's theme while it is open, so one visit of a screen serves both. */
async function faultsOf(page: Page, theme: Theme): Promise<string[]> {
  await page.emulateMedia({ colorScheme: theme });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', theme);
  return axeFaults(page);
}
