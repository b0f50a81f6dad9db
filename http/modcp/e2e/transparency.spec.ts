import { apiAs, core, file, readReport, unreportedPost } from './support/api';
import { expect, pageAs, test } from './support/test';

test('a transparency report is counted, published and read by a guest', async ({ browser }) => {
  const post = unreportedPost();
  const reported = await file('member5', { targetId: post.id, reason: 'abusive' });
  const moderator = await apiAs('moderator');
  const { version } = await readReport(reported);
  await moderator.post(`${core()}/moderation/reports/${reported}/resolve`, { data: { expectedVersion: version, resolution: 'no_violation' } });

  const page = await pageAs(browser, 'admin');
  await page.goto('/admin/core/transparency');
  await page.getByRole('button', { name: 'Count', exact: true }).click();
  const counted = page.getByRole('region', { name: /^Jan 1/ }); // as the form proposes
  await counted.getByText('Numbers', { exact: true }).click();
  await expect(counted.getByRole('table', { name: 'Reports filed' })).toBeVisible();
  await counted.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
  await expect(counted.getByText('Published', { exact: true })).toBeVisible();
  const address = await counted.getByRole('link', { name: 'Open page' }).getAttribute('href');

  const guest = await pageAs(browser, null);
  await guest.goto(address!);
  await expect(guest.getByRole('heading', { name: 'Transparency report' })).toBeVisible();
  await expect(guest.getByRole('table', { name: 'Decisions by outcome' }).getByText('No violation')).toBeVisible();
  await expect(guest.getByText('<5 stands for 1 to 4.')).toBeVisible();
});
