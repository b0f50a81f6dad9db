import { apiAs, core, password } from '../support/api';
import { newShop } from '../support/shop';
import { everywhere, expect, rarely } from './everywhere';
import { button, byRole, byText, css, field, link, type Screen } from './screen';

/** Pastes a text over what the editor holds. */
const paste = (page: Screen, text: string) =>
  page.evaluate(`(() => {
    const editor = document.querySelector('textarea');
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set.call(editor, ${JSON.stringify(text)});
    editor.dispatchEvent(new Event('input', { bubbles: true }));
  })()`);

everywhere('a shop is connected in the panel, tried, reported on by its own members, and disconnected', async ({ open }) => {
  const shop = await newShop();
  try {
    const { page } = await open(null);
    await page.goto(`${shop.docket.url}/sign-in`);
    await page.fill(field(/^Email/), 'admin@demo.test');
    await page.fill(css('input[type=password]'), password);
    await page.press('Enter');
    await page.gone(css('input[type=password]'));

    await page.goto(`${shop.docket.url}/admin/core/platforms`);
    await page.click(link('Connect a platform'));
    await page.see(css('textarea'));
    await paste(page, shop.manifest.replace('kind: bigint', 'kind: biginteger'));
    await page.see(byText(/must be bigint, uuid or text/));
    await page.click(button('Line 8'));
    expect(await page.evaluate<string>(`(() => { const { value, selectionStart, selectionEnd } = document.querySelector('textarea'); return value.slice(selectionStart, selectionEnd); })()`)).toContain('biginteger');
    await paste(page, shop.manifest);
    await page.gone(byText(/must be bigint, uuid or text/));
    await page.click(button('Connect a platform'));
    await page.see(byRole('dialog', 'Signing secret'));
    const [secret] = await page.texts(css('[role=dialog] code'));
    await shop.start(secret!);
    await page.click(button('Close'));
    await page.see(byRole('heading', 'Try it'));
    await page.click(button('Ask the platform'));
    await page.see(byText(/Clear pictures/));
    expect(await page.texts(css('ul[aria-label="Answers of the platform"] > li > code'))).toEqual([
      'capture',
      'current',
      'resolve',
      'context',
      'people/warn',
      'people/restrict',
      'people/suspend',
      'people/terminate',
      'people/end',
      'scopes/list',
      'scopes/find',
    ]);

    // A member of the shop reports by the shop's own tokens.
    await page.goto(shop.url);
    await page.click(button('Sign in as Uma'));
    await page.see(css('form', /You are Uma/));
    await page.click(button('Report'));
    await page.click(byRole('radio', 'Spam'));
    await page.click(button('Send report'));
    await page.see(byText(/Thank you/));
    const api = await apiAs('admin', shop.docket.url);
    const { edges } = (await (await api.get(`${core(shop.docket.url)}/moderation/reports?targetType=shop.comment&status=new`)).json()) as { edges: { reporter: { name: string } }[] };
    expect(edges.map(({ reporter }) => reporter.name)).toEqual(['Uma']);

    await page.goto(`${shop.docket.url}/admin/core/platforms/edit/shop`);
    await page.click(button('Disconnect'));
    await page.click(button('Disconnect', byRole('dialog')));
    await page.see(button('Connect'));
    await page.see(css('[data-tone]', 'Off'));
  } finally {
    await shop.stop();
  }
}, rarely);
