import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { file, forum } from './support/api';
import { startDemo } from './support/server';
import { expect, pageAs, test } from './support/test';

test('l translates the evidence by the service of the operator, and takes the translation away', async ({ browser }) => {
  test.setTimeout(180_000);
  let down = false;
  const service = createServer((request, response) => {
    void (async () => {
      const { q, target } = (await json(request)) as { q: string[]; target: string };
      const answer = { translatedText: q.map((text) => `${target}: ${text}`), detectedLanguage: q.map(() => ({ language: 'fr', confidence: 90 })) };
      response.writeHead(down ? 500 : 200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
    })();
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const server = await startDemo({ DOCKET_TRANSLATE_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}` });
  try {
    const base = server.url;
    const [post] = await forum('posts', 1, base);
    const id = await file('member1', { targetId: post!.id }, base);
    const page = await pageAs(browser, 'moderator', { base, locale: 'ar' });
    await page.goto(`/modcp/reports/${id}`);
    await expect(page.getByRole('button', { name: 'ترجمة', exact: true })).toBeVisible();
    const from = page.getByText(/مترجم من .*الفرنسية/);
    await page.keyboard.press('l');
    await expect(from).toBeVisible();
    await expect(page.getByText('ar: ').first()).toBeVisible();
    await page.keyboard.press('l');
    await expect(from).toBeHidden();
    down = true;
    await page.keyboard.press('l');
    await expect(page.getByRole('alert').first()).toBeVisible();
  } finally {
    await server.stop();
    service.close();
    service.closeAllConnections();
  }
});
