import { axeFaults } from './support/axe';
import { expect, pageAs, test } from './support/test';

test('the documentation of the API shows each area, from this server alone', async ({ browser }) => {
  const page = await pageAs(browser, null);
  const faults: string[] = [];
  const hosts = new Set<string>();
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  await page.goto('/api/docs');
  await expect(page.getByRole('link', { name: 'get /admin /advanced /cron', exact: true })).toBeVisible();
  expect(faults).toEqual([]);
  expect([...hosts]).toEqual([new URL(page.url()).host]);
  expect(await axeFaults(page)).toEqual([]);
});
