import { forum, reportableRule, type ForumItem } from './support/api';
import { axeFaults } from './support/axe';
import { startHost, type Host } from './support/host';
import { expect, test } from './support/test';

let host: Host;
let posts: ForumItem[];

test.beforeAll(async () => {
  test.setTimeout(180_000);
  host = await startHost();
  posts = await forum('posts', 10, host.docket.url);
});

test.afterAll(() => host?.stop());

test('<docket-report> says what went wrong, and sends no cookies', async ({ browser }) => {
  test.setTimeout(120_000);
  const page = await (await browser.newContext()).newPage();
  // A session at Docket in the same browser, which a page of another origin must not use.
  const member = await page.request.post(`${host.docket.url}/api/@platform/core/users/sign-in`, { data: { email: 'member1@demo.test', password: 'demo-password' } });
  expect(member.ok()).toBe(true);
  const send = async (about: Parameters<Host['page']>[0], reason: string, details = '') => {
    await page.goto(host.page(about));
    await page.getByRole('button', { name: 'Report', exact: true }).click();
    await page.getByRole('radio', { name: reason }).check();
    await page.getByRole('textbox').fill(details);
    await page.getByRole('button', { name: 'Send report' }).click();
  };
  const [post, other] = posts;

  // A guest is told before anything is written.
  await page.goto(host.page({ target: post!.id, lang: 'en' }));
  await page.getByRole('button', { name: 'Report', exact: true }).click();
  await expect(page.getByRole('status')).toHaveText('Sign in to report this.');
  await expect(page.getByRole('radio')).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/sign-in');
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('button', { name: 'Report', exact: true })).toBeFocused();

  await send({ target: post!.id, lang: 'en', member: 'Noor' }, 'Something else', 'too short');
  await expect(page.getByRole('alert')).toHaveText('Describe the problem in at least 10 characters.');
  await expect(page.getByRole('textbox')).toBeFocused();
  await page.getByRole('textbox').fill('It is long enough.');
  const request = page.waitForRequest((sent) => sent.method() === 'POST');
  await page.getByRole('button', { name: 'Send report' }).click();
  await expect(page.getByRole('status')).toContainText('Thank you');
  const headers = await (await request).allHeaders();
  expect(headers.cookie).toBeUndefined();
  expect(headers.authorization).toMatch(/^Bearer /);

  await send({ target: post!.id, lang: 'en', member: 'Noor' }, 'Spam');
  await expect(page.getByRole('alert')).toHaveText(/already reported/);
  await send({ target: '999999', lang: 'en', member: 'Noor' }, 'Spam');
  await expect(page.getByRole('alert')).toHaveText('This content is no longer available.');

  // Offline, what was written stays.
  await page.goto(host.page({ target: other!.id, lang: 'en', member: 'Noor' }));
  await page.getByRole('button', { name: 'Report', exact: true }).click();
  await page.getByRole('radio', { name: 'Spam' }).check();
  await page.getByRole('textbox').fill('Kept words.');
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Send report' }).click();
  await expect(page.getByRole('alert')).toHaveText('The report could not be sent at the moment. Try again shortly.');
  await expect(page.getByRole('textbox')).toHaveValue('Kept words.');
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Send report' }).click();
  await expect(page.getByRole('status')).toContainText('Thank you');
});

test('<docket-report> offers the rules that can be named', async ({ browser }) => {
  const post = posts[2]!;
  const page = await (await browser.newContext()).newPage();
  const open = async () => {
    await page.goto(host.page({ target: post.id, lang: 'en', member: 'Noor' }));
    await page.getByRole('button', { name: 'Report', exact: true }).click();
    await page.getByRole('radio', { name: 'It breaks the rules' }).check();
  };
  await open();
  await expect(page.getByRole('combobox')).toHaveCount(0); // none can be named yet
  const { key, title } = await reportableRule(host.docket.url);
  await open();
  await page.getByRole('combobox', { name: 'Which rule? (optional)' }).selectOption(title);
  await page.getByRole('radio', { name: 'Spam' }).check();
  await expect(page.getByRole('combobox')).toHaveCount(0);
  await page.getByRole('radio', { name: 'It breaks the rules' }).check();
  expect(await axeFaults(page)).toEqual([]);
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  await page.getByRole('button', { name: 'Send report' }).click();
  await expect(page.getByRole('status')).toContainText('Thank you');
  expect((await sent).postDataJSON()).toMatchObject({ reason: 'rule_violation', policy: key });
});

test('<docket-report> looks and reports the same on a page with a strict policy, whatever it says of its language', async ({ browser }) => {
  const page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  await page.goto(host.page({ target: posts[3]!.id, lang: 'en', member: 'Noor', strict: true }));
  await page.getByRole('button', { name: 'Report', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Send report' })).toHaveCSS('background-color', 'rgb(29, 78, 216)');
  await page.getByRole('radio', { name: 'Spam' }).check();
  await page.getByRole('button', { name: 'Send report' }).click();
  await expect(page.getByRole('status')).toContainText('Thank you');
});
