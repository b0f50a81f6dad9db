import { file, url } from '../support/api';
import { everywhere, expect } from './everywhere';
import { button, byRole, byText, css } from './screen';

/** Live feeds that the server has open. */
async function feeds(): Promise<number> {
  const metrics = await (await fetch(`${url()}/metrics`)).text();
  return Number(/^docket_live_connections (\d+)$/m.exec(metrics)![1]);
}

// Browsers open six connections to a server, so that more than six feeds would hold everything else up.

// WebKit's driver shows one tab at a time and knows no limit of its own.
const manyTabs = ['chromium', 'firefox'] as const;

everywhere(
  'seven tabs share one feed, and another takes over when its holder goes',
  async ({ open, post }) => {
    const id = await file('member1', { targetId: post.id });
    const { page: first, newTab } = await open('moderator');
    const tabs = [first];
    while (tabs.length < 7) tabs.push(await newTab());
    await Promise.all(tabs.map((tab, index) => tab.goto(index % 2 === 0 ? '/modcp/reports' : `/modcp/reports/${id}`)));
    await Promise.all(tabs.map((tab) => tab.see(byText('Live'))));
    // A board that reads its list after the next filing shows the report, and announces nothing.
    await Promise.all(tabs.map((tab, index) => tab.see(index % 2 === 0 ? css(`[data-row="${id}"]`) : byRole('heading', post.title))));
    expect(await feeds()).toBe(1);

    await file('member2', { targetId: post.id });
    await Promise.all(tabs.filter((_, index) => index % 2 === 0).map((tab) => tab.see(button(/^1 new report/))));

    await first.close();
    const left = tabs.slice(1);
    await expect.poll(feeds).toBe(1);
    await Promise.all(left.map((tab) => tab.see(byText('Live'))));
    await file('member3', { targetId: post.id });
    await Promise.all(left.filter((_, index) => index % 2 === 1).map((tab) => tab.see(button(/^2 new reports/))));
  },
  manyTabs,
);

everywhere(
  'page loads in a row, forth and back, leave one feed',
  async ({ open, post }) => {
    const id = await file('member4', { targetId: post.id });
    const { page } = await open('moderator');
    const paths = ['/modcp/reports', `/modcp/reports/${id}`, '/modcp/dashboard'];
    for (let load = 0; load < 3; load++) {
      await page.goto(paths[load]!);
      await page.see(byRole('heading'));
    }
    for (let load = 2; load > 0; load--) {
      await page.back();
      await page.until('for the page before', async () => (await page.path()) === paths[load - 1]);
      await page.see(byText('Live'));
    }
    await expect.poll(feeds).toBe(1);
  },
);
