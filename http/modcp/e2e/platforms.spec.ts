import { apiAs, core } from './support/api';
import { axeFaults } from './support/axe';
import { newShop } from './support/shop';
import { expect, pageAs, test } from './support/test';

const manifest = (id: string, types: readonly string[]) => `id: ${id}
remote: {url: "https://${id}.example.test/docket"}
remoteTypes:
${types.map((type) => `  - {id: ${id}.${type}, label: ${id}.${type}, permissionModule: reviews, key: {kind: bigint}, fields: {title: {kind: text}}, reports: true}\n`).join('')}`;

test('a platform is connected, changed by two people, brought back, given a new secret and disconnected', async ({ browser }) => {
  const id = `shop${Date.now() % 1e9}`;
  const page = await pageAs(browser, 'admin');
  await page.goto('/admin/core/platforms/new');
  const editor = page.getByLabel('Manifest (YAML)');
  const connect = page.getByRole('button', { name: 'Connect a platform' });

  // Faults show at their lines while somebody types.
  await editor.fill(manifest(id, ['review']).replace('kind: bigint', 'kind: bigit'));
  await expect(page.getByText('1 fault')).toBeVisible();
  await expect(page.locator('[data-fault]')).toHaveText('4');
  await expect(connect).toBeDisabled();
  // What is written survives a reload.
  await page.reload();
  await expect(editor).toHaveValue(/kind: bigit}/);
  await editor.fill(manifest(id, ['review']));
  await connect.click();
  const dialog = page.getByRole('dialog', { name: 'Signing secret' });
  await expect(dialog.locator('code')).toHaveText(/^whsec_/);
  const secret = await dialog.locator('code').textContent();
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();

  // It is not shown again, and the demo reaches no such address.
  await expect(page.getByText('Version 1 is in force.')).toBeVisible();
  await expect(page.getByText(secret!)).toHaveCount(0);
  await page.getByRole('button', { name: 'Ask the platform' }).click();
  await expect(page.getByRole('list', { name: 'Answers of the platform' }).getByRole('listitem').first()).toContainText('No answer');

  // The second of two changes is not saved over the first by accident, and keeps its words.
  const api = await apiAs('admin');
  await editor.fill(manifest(id, ['review', 'video']));
  const save = page.getByRole('button', { name: 'Save as version 2' });
  await expect(save).toBeEnabled();
  let told = false;
  await page.route(`**/admin/platforms/${id}`, (route) => {
    told ||= route.request().method() === 'PUT';
    return told ? route.continue() : route.abort();
  });
  const other = await api.put(`${core()}/admin/platforms/${id}`, { data: { manifest: manifest(id, ['review', 'photo']), expectedVersion: 1 } });
  expect(other.status()).toBe(200);
  await save.click();
  await expect(page.getByRole('form', { name: 'Manifest' }).getByRole('alert')).toContainText('This platform has since changed');
  await page.reload();
  await expect(editor).toHaveValue(/video/);
  await expect(page.getByRole('form', { name: 'Manifest' }).getByRole('alert')).toContainText('Version 2 was saved after you began.');
  await page.getByRole('button', { name: 'Save over version 2' }).click();
  await expect(page.getByText('Version 3 is in force.').first()).toBeVisible();

  await page.getByRole('button', { name: 'Compare version 2' }).click();
  await expect(page.getByRole('dialog').locator('ins').first()).toContainText('photo');
  await page.getByRole('button', { name: 'Go back to version 2' }).click();
  await expect(editor).toHaveValue(/photo/);

  await page.getByRole('button', { name: 'New secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click();
  await expect(dialog.locator('code')).toHaveText(/^whsec_/);
  await expect(dialog.locator('code')).not.toHaveText(secret!);
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();

  await page.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByRole('button', { name: 'Connect', exact: true })).toBeVisible();
  // Connecting it anew does not replace it.
  await page.goto('/admin/core/platforms/new');
  await editor.fill(manifest(id, ['review']));
  await connect.click();
  await expect(page.getByRole('form', { name: 'Manifest' }).getByRole('alert')).toContainText('A platform with this id is connected already.');
  await page.getByRole('link', { name: `Open ${id}` }).click();
  await expect(editor).toHaveValue(/photo/);
  await page.goto('/admin/core/platforms');
  const row = page.getByRole('row', { name: new RegExp(id) });
  await expect(row).toContainText('Off');
  await row.getByRole('link').click();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Disconnect' })).toBeVisible();
});

test('a provider of signals has a secret of its own, which is shown with the change that names it first', async ({ browser }) => {
  const id = `mall${Date.now() % 1e9}`;
  const page = await pageAs(browser, 'admin');
  await page.goto('/admin/core/platforms/new');
  const editor = page.getByLabel('Manifest (YAML)');
  await editor.fill(manifest(id, ['photo']));
  await page.getByRole('button', { name: 'Connect a platform' }).click();
  const dialog = page.getByRole('dialog', { name: 'Signing secret' });
  const close = () => dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  await expect(dialog.locator('code')).toHaveCount(1);
  await close();
  await expect(page.getByText('Version 1 is in force.')).toBeVisible();

  await editor.fill(`${manifest(id, ['photo'])}providers: [{name: links, url: "https://links.example.test/ask"}]\n`);
  await page.getByRole('button', { name: 'Save as version 2' }).click();
  await expect(dialog.getByText('Give this one to the provider links')).toBeVisible();
  const secret = await dialog.locator('code').textContent();
  expect(secret).toMatch(/^whsec_/);
  expect(await axeFaults(page)).toEqual([]);
  await close();
  await expect(editor).toHaveValue(/links\.example/);

  await page.getByRole('button', { name: 'New secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click();
  await expect(dialog.locator('code')).toHaveCount(2);
  await expect(dialog.locator('code').last()).not.toHaveText(secret!);
});

test('a shop is connected in the panel, tried, reported on by its own members, and disconnected', async ({ browser }) => {
  const shop = await newShop();
  try {
    const page = await pageAs(browser, 'admin', { base: shop.docket.url });
    await page.goto('/admin/core/platforms');
    await page.getByRole('link', { name: 'Connect a platform' }).click();
    const editor = page.getByLabel('Manifest (YAML)');
    await editor.fill(shop.manifest.replace('kind: bigint', 'kind: biginteger'));
    await expect(page.getByText(/must be bigint, uuid or text/)).toBeVisible();
    await page.getByRole('button', { name: 'Line 8' }).click();
    expect(await page.evaluate(() => getSelection()!.toString())).toContain('biginteger');
    await editor.fill(shop.manifest);
    await page.getByRole('button', { name: 'Connect a platform' }).click();
    const dialog = page.getByRole('dialog', { name: 'Signing secret' });
    await shop.start((await dialog.locator('code').textContent())!);
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await page.getByRole('button', { name: 'Ask the platform' }).click();
    const answers = page.getByRole('list', { name: 'Answers of the platform' });
    await expect(answers).toContainText('Clear pictures');
    const asked = ['capture', 'current', 'resolve', 'context', 'people/warn', 'people/restrict', 'people/suspend', 'people/terminate', 'people/end', 'scopes/list', 'scopes/find'];
    await expect(answers.locator('> li > code')).toHaveText(asked);

    // A member of the shop reports by the shop's own tokens.
    await page.goto(shop.url);
    await page.getByRole('button', { name: 'Sign in as Uma' }).click();
    await expect(page.getByText('You are Uma')).toBeVisible();
    await page.getByRole('button', { name: 'Report', exact: true }).first().click();
    await page.getByRole('radio', { name: 'Spam' }).check();
    await page.getByRole('button', { name: 'Send report' }).click();
    await expect(page.getByText(/Thank you/)).toBeVisible();
    const api = await apiAs('admin', shop.docket.url);
    const { edges } = (await (await api.get(`${core(shop.docket.url)}/moderation/reports?targetType=shop.comment&status=new`)).json()) as { edges: { reporter: { name: string } }[] };
    expect(edges.map(({ reporter }) => reporter.name)).toEqual(['Uma']);

    await page.goto('/admin/core/platforms/edit/shop');
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await expect(page.getByRole('button', { name: 'Connect', exact: true })).toBeVisible();
    await expect(page.locator('[data-tone]', { hasText: 'Off' })).toBeVisible();
  } finally {
    await shop.stop();
  }
});
