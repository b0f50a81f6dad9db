import type { Page } from '@playwright/test';
import { file, url } from './support/api';
import { expect, pageAs, test } from './support/test';

const live = (page: Page) => page.getByText('Live', { exact: true });

/** Live feeds that the server has open. */
async function feeds(page: Page): Promise<number> {
  const metrics = await (await page.request.get(`${url()}/metrics`)).text();
  return Number(/^docket_live_connections (\d+)$/m.exec(metrics)![1]);
}

test('twelve tabs share one feed, and another tab takes over when its holder goes', async ({ browser, post }) => {
  const id = await file('member1', { targetId: post.id });
  const first = await pageAs(browser, 'moderator');
  const tabs = [first];
  while (tabs.length < 12) tabs.push(await first.context().newPage());
  await Promise.all(
    tabs.map(async (tab, index) => {
      await tab.goto(index % 2 === 0 ? '/modcp/reports' : `/modcp/reports/${id}`);
      await expect(live(tab)).toBeVisible();
    }),
  );
  expect(await feeds(first)).toBe(1);

  const boards = tabs.filter((_, index) => index % 2 === 0);
  await file('member2', { targetId: post.id });
  await Promise.all(boards.map((tab) => expect(tab.getByRole('button', { name: /^1 new report/ })).toBeVisible()));

  for (const tab of tabs.slice(0, 3)) {
    await tab.close();
    await expect.poll(() => feeds(tabs[11]!)).toBe(1);
  }
  const left = tabs.slice(3);
  await Promise.all(left.map((tab) => expect(live(tab)).toBeVisible()));
  await file('member3', { targetId: post.id });
  await Promise.all(left.filter((tab) => boards.includes(tab)).map((tab) => expect(tab.getByRole('button', { name: /^2 new reports/ })).toBeVisible()));
});

test('a colleague is seen in each tab of a report, also in one that is opened later', async ({ browser, post }) => {
  const id = await file('member4', { targetId: post.id });
  const colleague = await pageAs(browser, 'admin');
  await colleague.goto(`/modcp/reports/${id}`);
  const one = await pageAs(browser, 'moderator');
  await one.goto(`/modcp/reports/${id}`);
  await expect(one.getByText('Ada Admin is looking too')).toBeVisible();
  const two = await one.context().newPage();
  await two.goto(`/modcp/reports/${id}`);
  await expect(two.getByText('Ada Admin is looking too')).toBeVisible();
});

test('pages that are left hold no connection: thirty loads, forth and back', async ({ browser, post }) => {
  const id = await file('member5', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  const paths = ['/modcp/reports', `/modcp/reports/${id}`, '/modcp/dashboard'];
  for (let load = 0; load < 15; load++) {
    await page.goto(paths[load % 3]!);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
  for (let load = 14; load > 0; load--) {
    await page.goBack();
    await expect(page).toHaveURL(new RegExp(`${paths[(load - 1) % 3]!}$`));
    await expect(live(page)).toBeVisible();
  }
  expect(await feeds(page)).toBe(1);
});
