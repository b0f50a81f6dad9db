import { expect, pageAs, test } from './support/test';

test('the first load stays light', async ({ browser }) => {
  const page = await pageAs(browser, 'moderator');
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const sizes = new Map<string, number>();
  const urls = new Map<string, string>();
  session.on('Network.responseReceived', ({ requestId, response }) => urls.set(requestId, response.url));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => sizes.set(urls.get(requestId) ?? requestId, encodedDataLength));
  await page.goto('/modcp/reports');
  await expect(page.locator('a[data-report]').first()).toBeVisible();
  await page.waitForLoadState('load');
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(50_000);
  expect(total).toBeLessThan(400_000);
  expect([...sizes].filter(([, size]) => size > 100_000)).toEqual([]);
});
