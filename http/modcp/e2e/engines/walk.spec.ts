import { file } from '../support/api';
import { everywhere, expect, others } from './everywhere';
import { button, byRole, css, link, nth } from './screen';

everywhere('every screen is reached by clicks alone', async ({ open, post }) => {
  await file('member1', { targetId: post.id });
  const { page } = await open(null);
  const menu = byRole('navigation', 'Main');
  const shows = (heading: string | RegExp) => page.see(byRole('heading', heading));
  await page.goto('/sign-in');
  await page.click(button(/^Administrator/));
  await shows('Cases');
  await page.click(css('label', 'Reports'));
  await shows('Reports');
  for (const [tab, status] of [[/^In progress/, 'in_progress'], [/^Done/, 'done'], [/^All/, 'all']] as const) {
    await page.click(link(tab));
    await page.until(`for the tab ${status}`, async () => (await page.path()).includes(`status=${status}`));
    await page.gone(css('[data-loading]'));
  }

  await page.click(nth(css('a[data-report]'), 0));
  await page.see(button('Replay the history'));
  await page.click(button('Replay the history'));
  await page.see(byRole('slider'));
  await page.press('Escape');
  await page.gone(byRole('dialog'));

  await page.click(link('Dashboard', menu));
  await page.see(css('figure svg'));
  await page.click(link('Reports', menu)); // the list that was chosen last
  await page.see(css('a[data-report]'));
  await page.click(link('Administration', menu));
  const sections = byRole('navigation', 'Administration');
  await page.see(link('Moderators', sections));
  const names = await page.texts(link(undefined, sections));
  expect(names.length).toBeGreaterThan(8);
  for (const name of names) {
    await page.click(link(name, sections));
    await page.see(css('a[aria-current="page"]', name));
    await page.see(css('main h1'));
    await page.gone(css('[data-loading]'));
  }
  await page.click(link('Moderators', sections));
  await page.click(nth(css('main table a'), 0));
  await page.see(button('Remove moderator'));

  await page.click(link('Platforms', sections));
  await page.click(link('Connect a platform'));
  await page.fill(css('textarea'), 'id: "shop');
  await page.click(button(/^Line 1/)); // leads to the fault, which is selected
  await page.focused(css('textarea'));

  await page.click(link('Docket'));
  await shows('Reports');
  await page.press('?');
  await page.see(byRole('dialog'));
  await page.press('Escape');
  await page.gone(byRole('dialog'));
  await page.click(button(/^Account and settings/));
  await page.click(byRole('menuitem', 'Sign out'));
  await page.gone(button(/^Account and settings/));
  expect(await page.path()).not.toContain('/modcp/reports?');
}, others);
