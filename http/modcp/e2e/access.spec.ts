import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { byAccount, fillBoard, open, screens, visit } from './support/screens';
import { expect, pageAs, test } from './support/test';

test.beforeAll(fillBoard);

for (const colorScheme of ['light', 'dark'] as const) {
  for (const screen of screens) {
    test(`axe finds nothing on: ${screen.name}, ${colorScheme}`, async ({ browser }) => {
      const page = await pageAs(browser, screen.as, { colorScheme });
      await visit(page, screen);
      await open(page, screen);
      expect(await faultsOf(page)).toEqual([]);
    });
  }
}

for (const locale of ['en', 'ar'] as const) {
  test(`on a phone nothing sticks out sideways, ${locale}`, async ({ browser }) => {
    test.setTimeout(180_000);
    const wide: string[] = [];
    for (const [as, shown] of byAccount()) {
      const page = await pageAs(browser, as, { width: 380, locale });
      for (const screen of shown) {
        await visit(page, screen);
        // What is opened has English names.
        if (locale === 'en') await open(page, screen);
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

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing in Arabic, ${colorScheme}`, async ({ browser }) => {
    test.setTimeout(180_000);
    const faults: string[] = [];
    for (const [as, shown] of byAccount(screens.filter((screen) => screen.open === undefined))) {
      const page = await pageAs(browser, as, { colorScheme, locale: 'ar' });
      for (const screen of shown) {
        await visit(page, screen);
        faults.push(...(await faultsOf(page)).map((fault) => `${screen.name}: ${fault}`));
      }
    }
    expect(faults).toEqual([]);
  });
}

async function faultsOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => `${node.target.join(' ')} ${node.failureSummary ?? ''}`).join(' | ')}`);
}
