import type { Page } from '@playwright/test';
import { expectReport, file, forum } from './support/api';
import { expect, pageAs, test } from './support/test';

test('filters are chosen by keyboard too, survive reload and Back, and a link restores them', async ({ browser, post }) => {
  await file('member2', { targetId: post.id, reason: 'abusive' }).catch(() => undefined);
  const page = await pageAs(browser, 'moderator');
  await page.goto('/modcp/reports');
  await page.getByRole('link', { name: /^All/ }).click();
  await page.getByRole('combobox', { name: 'Reason' }).selectOption('Abusive');
  await expect(page).toHaveURL(/status=all&reason=abusive/);
  await page.getByRole('searchbox').fill('zzz nothing has this');
  await expect(page.getByText('No report matches these filters')).toBeVisible();
  const link = page.url();
  await page.reload();
  await expect(page.getByText('No report matches these filters')).toBeVisible();
  await expect(page.getByRole('searchbox')).toHaveValue('zzz nothing has this');
  await page.goBack();
  await expect(page.getByRole('searchbox')).toHaveValue('');
  await expect(page).toHaveURL(/status=all&reason=abusive$/);
  await page.goBack();
  await expect(page).toHaveURL(/status=all$/);

  const order = page.getByRole('combobox', { name: 'Order' });
  await order.focus();
  await order.press('ArrowDown'); // from the option in force on
  await expect(page).toHaveURL(/status=all&sort=/);

  const other = await pageAs(browser, 'admin');
  await other.goto(link);
  await expect(other.getByRole('searchbox')).toHaveValue('zzz nothing has this');
  await expect(other.getByRole('combobox', { name: 'Reason' })).toHaveValue('abusive');
});

/** What the screens of a page ask the API for from here on, as far as moderators' lists need it. */
function listen(page: Page): { asked: string[] } {
  const heard = { asked: [] as string[] };
  page.on('request', (request) => {
    const path = request.url().split('/@platform/core/')[1];
    if (path !== undefined && /^(users\/(session|permissions)|moderation\/(cases|reports|reports\/counts)(\?(?!escalated).*)?)$/.test(path)) heard.asked.push(path);
  });
  return heard;
}

for (const [list, ...read] of [['reports', 'reports/counts', 'reports?status=new&first=25'], ['cases', 'cases?first=25']] as const) {
  test(`a visit asks for the session and the rows at once, before the panel has loaded, and for neither again: ${list}`, async ({ browser, post }) => {
    await file('member3', { targetId: post.id });
    const page = await pageAs(browser, 'moderator', { own: true });
    await page.addInitScript(() => localStorage.setItem('docket.moderates', 'yes'));
    const heard = listen(page);
    const all = [...read.map((path) => `moderation/${path}`), 'users/permissions', 'users/session'];
    await page.route('**/assets/*.js', async (route) => {
      await expect.poll(() => heard.asked.toSorted()).toEqual(all);
      await route.continue();
    });
    await page.goto(`/modcp/${list}`);
    await expect(page.locator('[data-row], [data-case]').first()).toBeVisible();
    await expect(page.getByRole('group', { name: 'Who works on it' })).toContainText('You');
    expect(heard.asked.toSorted()).toEqual(all);
  });
}

test('filters in the address are the panel’s to read, and a browser that has signed out asks for the session alone', async ({ browser, post }) => {
  const id = await file('member3', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  const heard = listen(page);
  await page.goto('/modcp/reports?status=all');
  await expect(page.locator(`[data-row="${id}"]`)).toBeVisible();
  expect(heard.asked.filter((path) => path.startsWith('moderation/reports?'))).toEqual(['moderation/reports?first=25']);
  await page.getByRole('button', { name: 'Account and settings' }).click();
  const signedOut = page.waitForResponse('**/users/sign-out');
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await signedOut;
  heard.asked = [];
  await page.goto('/modcp/reports');
  await expect(page).toHaveURL(/sign-in/);
  expect(heard.asked).toEqual(['users/session']);
});

test('a view is saved, opened and deleted', async ({ browser }) => {
  const page = await pageAs(browser, 'moderator');
  await page.goto('/modcp/reports?status=all&reason=spam');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByLabel('Name of the view').fill('All spam');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('link', { name: 'All spam' })).toBeVisible();
  await page.goto('/modcp/reports');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('link', { name: 'All spam' }).click();
  await expect(page).toHaveURL(/status=all&reason=spam$/);
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('button', { name: 'Delete view “All spam”' }).click();
  await expect(page.getByText('No saved view yet')).toBeVisible();
});

test('a dialog leaves the focus in its row, and what a search leaves out is neither counted nor decided', async ({ browser, post }) => {
  const id = await file('member7', { targetId: post.id });
  const page = await pageAs(browser, 'moderator');
  await page.goto(`/modcp/reports?target=${post.id}`);
  const row = page.locator(`a[data-report="${id}"]`);
  await expect(row).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('r');
  await expect(page.getByRole('dialog').getByRole('radio').first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(row).toBeFocused();
  await expect(page.getByText('1 selected')).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('nothing like it');
  await expect(page.getByText('No report matches these filters')).toBeVisible();
  await expect(page.getByText('1 selected')).toHaveCount(0);
});

test('bulk work is previewed, can be taken back, tells the outcome of each, and is sent when the next is given or its moderator signs out', async ({ browser }) => {
  const posts = (await forum('posts')).slice(20, 22);
  const ids = await Promise.all(posts.map((post) => file('member3', { targetId: post.id })));
  const page = await pageAs(browser, 'moderator');
  await page.goto('/modcp/reports');
  const choose = async () => {
    for (const id of ids) await page.locator(`[data-row="${id}"]`).getByRole('checkbox').check();
  };
  await page.locator(`[data-row="${ids[0]}"]`).click(); // anywhere in a row is its link
  await expect(page).toHaveURL(new RegExp(`/modcp/reports/${ids[0]}`));
  await page.goBack();
  await choose();
  await page.getByRole('toolbar').getByRole('button', { name: 'Claim', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.goForward();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.goBack();
  await choose();
  await page.getByRole('toolbar').getByRole('button', { name: 'Claim', exact: true }).click();
  await expect(page.getByRole('dialog').getByText('Ready')).toHaveCount(2);
  await page.getByRole('button', { name: 'Claim 2 reports' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByTestId('announcer')).toContainText('Nothing was sent');
  await expectReport(ids[0]!, { status: 'new' });

  await choose();
  await page.getByRole('toolbar').getByRole('button', { name: 'Resolve…' }).click();
  await page.getByRole('radio', { name: /^Duplicate/ }).click();
  await page.getByRole('button', { name: 'Resolve 2 reports' }).click();
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect(page.getByText('2 done, none failed').first()).toBeVisible();
  await page.getByRole('button', { name: 'Outcome of each report' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Done' })).toHaveCount(2);
  for (const id of ids) await expectReport(id, { status: 'done', resolution: 'duplicate' });

  const [first, second, last] = [await file('member4', { targetId: posts[0]!.id }), await file('member4', { targetId: posts[1]!.id }), await file('member3', { targetId: posts[0]!.id })];
  await page.reload();
  const claim = async (id: string) => {
    await page.locator(`[data-row="${id}"]`).getByRole('checkbox').check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Claim', exact: true }).click();
    await page.getByRole('button', { name: 'Claim 1 report' }).click();
    await expect(page.getByRole('region', { name: 'Claim' })).toContainText('1 report in');
  };
  await claim(first);
  await claim(second);
  await expectReport(first, { status: 'in_progress' });
  await page.keyboard.press('u');
  await expect(page.getByTestId('announcer')).toContainText('Nothing was sent');
  await expectReport(second, { status: 'new' });

  await claim(last);
  await page.getByRole('button', { name: 'Account and settings' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await expectReport(last, { status: 'in_progress' });
});
