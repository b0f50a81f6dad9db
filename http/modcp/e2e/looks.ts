import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { byAccount, fillBoard, open, screens, visit } from './support/screens';
import { pageAs, test } from './support/test';

// Not a test: `npm run looks` takes a picture of every screen, for people to look at. SCREENS="staff|users"
// takes only the screens with such a name, and -g "390 dark" only one way of looking at them.
const folder = resolve(process.env.LOOKS!);
const heights = { 390: 844, 720: 900, 1280: 900, 1440: 900, 1920: 1080 };
const wanted = screens.filter((screen) => new RegExp(process.env.SCREENS ?? '').test(screen.name));

test.beforeAll(fillBoard);

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [390, 720, 1280, 1440, 1920] as const) {
    for (const locale of ['en', 'ar'] as const) {
      test(`${width} ${colorScheme} ${locale}`, async ({ browser }) => {
        test.setTimeout(600_000);
        const into = join(folder, `${width}-${colorScheme}-${locale}`);
        mkdirSync(into, { recursive: true });
        for (const [as, shown] of byAccount(wanted)) {
          const page = await pageAs(browser, as, { colorScheme, locale, width });
          await page.setViewportSize({ width, height: heights[width] });
          for (const screen of shown) {
            await visit(page, screen);
            await open(page, screen, locale);
            await page.screenshot({ path: join(into, `${screen.name.replaceAll(' ', '-')}.png`), fullPage: screen.open === undefined, animations: 'disabled' });
          }
        }
      });
    }
  }
}
