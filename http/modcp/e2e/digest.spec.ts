import { apiAs, core } from './support/api';
import { sql } from './support/sql';
import { expect, pageAs, test } from './support/test';

const settings = async () => (await (await apiAs('moderator')).get(`${core()}/users/digest`)).json() as Promise<unknown>;

test('a moderator asks for a digest, and the link of one stops it by a click; a link of none says so', async ({ browser }) => {
  const page = await pageAs(browser, 'moderator');
  let failing = true;
  await page.route('**/users/digest', (route) => (failing ? route.fulfill({ status: 500, json: { error: 'internal', message: '' } }) : route.continue()));
  await page.goto('/account');
  const panel = page.getByRole('region', { name: 'Email digest' });
  const retry = panel.getByRole('alert').getByRole('button', { name: 'Try again' });
  await expect(retry).toBeVisible();
  failing = false;
  await retry.click();
  await panel.getByRole('textbox', { name: 'How often' }).or(panel.getByRole('combobox', { name: 'How often' })).click();
  await page.getByRole('option', { name: 'At most once a day' }).click();
  await expect.poll(settings).toEqual({ every: 'daily', urgent: false });
  await panel.getByRole('checkbox', { name: 'At once when a deadline has passed or a report is escalated to me' }).click();
  await expect.poll(settings).toEqual({ every: 'daily', urgent: true });
  await page.reload();
  await expect(panel.getByRole('checkbox', { name: 'At once when a deadline has passed or a report is escalated to me' })).toBeChecked();

  // Whoever holds the link needs no session, and opening it stops nothing.
  const token = sql(`SELECT rtrim(translate(encode(stop, 'base64'), '+/', '-_'), '=') FROM core_digests d JOIN core_users u ON u.id = d.user_id WHERE u.email = 'moderator@demo.test'`);
  const reader = await pageAs(browser, null);
  await reader.goto(`/digest?token=${token}`);
  const stop = reader.getByRole('button', { name: 'Stop the mail' });
  await expect(stop).toBeVisible();
  await expect(reader.getByText('You will get no more of these mails.')).toBeVisible();
  expect(await settings()).toEqual({ every: 'daily', urgent: true });
  await reader.route('**/digest/stop', (route) => route.abort());
  await stop.click();
  await expect(reader.getByRole('main').getByRole('alert')).toContainText('The server cannot be reached.');
  await reader.unroute('**/digest/stop');
  await stop.click();
  await expect(reader.getByRole('heading', { name: 'The mail is stopped' })).toBeVisible();
  await expect(reader.getByText('You can ask for it again in your account.')).toBeVisible();
  expect(await settings()).toEqual({ every: 'never', urgent: false });

  await reader.goto('/digest?token=none');
  await stop.click();
  await expect(reader.getByRole('main').getByRole('alert')).toHaveText('This link is no longer valid. Turn the mail off in your account.');
});
