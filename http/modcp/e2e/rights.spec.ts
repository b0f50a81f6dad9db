import { file, unreportedPost } from './support/api';
import { expect, pageAs, test } from './support/test';

test('a viewer may look and is offered nothing to do', async ({ browser, post }) => {
  const id = await file('member9', { targetId: post.id });
  const page = await pageAs(browser, 'viewer');
  await page.goto(`/modcp/reports/${id}`);
  await expect(page.getByText('You can view this report')).toBeVisible();
  await expect(page.getByText(/reports? filed: /).first()).toBeVisible();
  await expect(page.getByRole('button', { name: /Claim|Resolve|Assign|Hide|’s mutes$/ })).toHaveCount(0);
  await page.goto('/modcp/cases');
  await expect(page.getByRole('heading', { name: 'Cases' })).toBeVisible();
  await expect(page.locator('[data-loading]')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Next case' })).toHaveCount(0);
  await page.goto(`/modcp/cases/forum/forum.post/${unreportedPost().id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nobody has reported this content');
});

test('grants are edited, refused with their faults beside them, and felt at once', async ({ browser, post }) => {
  const id = await file('member1', { targetId: post.id });
  const viewer = await pageAs(browser, 'viewer');
  await viewer.goto(`/modcp/reports/${id}`);
  await expect(viewer.getByText('You can view this report')).toBeVisible();

  const admin = await pageAs(browser, 'admin');
  await admin.goto('/admin/core/staff/moderators');
  await admin.getByRole('link', { name: 'Vic Viewer' }).click();
  const posts = admin.getByRole('region', { name: 'Forum: Posts' });
  await posts.getByRole('switch', { name: /Work on reports/ }).check({ force: true });
  await posts.getByRole('button', { name: /Choose where “Work on reports”/ }).click();
  await admin.getByRole('dialog').getByText('In chosen areas').click();
  const all = admin.getByRole('switch', { name: 'For every permission of “Posts”' });
  await expect(async () => all.uncheck({ force: true })).toPass(); // the dialog may move while it grows
  await admin.getByRole('button', { name: 'Apply' }).click();
  await admin.getByRole('button', { name: 'Save' }).click();
  await expect(posts.getByText('At least one area must be chosen.')).toBeVisible();

  await posts.getByRole('button', { name: /Choose where “Work on reports”/ }).click();
  await admin.getByRole('dialog').getByText('Everywhere').click();
  await admin.getByRole('button', { name: 'Apply' }).click();
  await admin.getByRole('button', { name: 'Save' }).click();
  await expect(admin.getByTestId('announcer')).toContainText('Saved');
  await expect(admin.getByRole('region', { name: 'History of this entry' })).toContainText('Work on reports');

  await viewer.reload();
  await expect(viewer.getByRole('button', { name: 'Claim', exact: true })).toBeVisible();
});
