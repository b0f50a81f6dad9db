import axe from 'axe-core';
import { apiAs, core, forum, type ForumItem } from '../support/api';
import { startHost, type Host } from '../support/host';
import { test } from '../support/test';
import { everywhere, expect, type EngineName } from './everywhere';
import { button, byRole, byText, field, type Screen } from './screen';

let host: Host;
let posts: ForumItem[];

test.beforeAll(async () => {
  test.setTimeout(180_000);
  host = await startHost();
  posts = await forum('posts', 10, host.docket.url);
});

test.afterAll(() => host?.stop());

/** What axe finds in the page, the element's shadow tree with it. It finds the same in every engine, so that one is asked. */
const axeFaults = async (engine: EngineName, page: Screen) =>
  engine !== 'chromium' ? [] : page.evaluate<string[]>(`(async () => {
    ${axe.source}
    const { violations } = await axe.run();
    return violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target, failureSummary }) => target.join(' ') + ' ' + failureSummary).join(' | '));
  })()`);

const dialog = "document.querySelector('docket-report').shadowRoot.querySelector('dialog')";

/** How the dialog lies in the page. */
const layout = (page: Screen) =>
  page.evaluate<{ width: number; left: number; right: number; over: number; direction: string; small: string[] }>(`(() => {
    const { left, right } = ${dialog}.getBoundingClientRect();
    const small = [...${dialog}.querySelectorAll('button, label.choice')].filter((one) => one.getBoundingClientRect().height < 44).map((one) => one.textContent);
    return { width: innerWidth, left, right, over: document.documentElement.scrollWidth - innerWidth, direction: getComputedStyle(${dialog}).direction, small };
  })()`);

/** The reports of a member of the host, newest first. */
async function reportsOf(member: string): Promise<{ target: { id: string }; reason: string; id: string }[]> {
  const api = await apiAs('moderator', host.docket.url);
  const answer = await api.get(`${core(host.docket.url)}/moderation/reports?first=100`);
  const { edges } = (await answer.json()) as { edges: { target: { id: string }; reason: string; id: string; reporter: { name: string } }[] };
  return edges.filter(({ reporter }) => reporter.name === member);
}

everywhere('a member of another site reports in Arabic, by keyboard, in a dialog that fits a phone in both directions', async ({ engine, open }) => {
  const { page } = await open(null);
  const [post] = posts;
  const member = `Noor in ${engine}`;
  await page.goto(host.page({ target: post!.id, lang: 'ar', member }));
  await page.click(button('إبلاغ'));
  await page.see(byRole('dialog', 'الإبلاغ عن هذا المحتوى'));
  expect(await layout(page)).toMatchObject({ direction: 'rtl', over: 0 });
  expect(await axeFaults(engine, page)).toEqual([]);

  await page.press('Escape');
  await page.gone(byRole('dialog'));
  await page.focused(button('إبلاغ'));
  await page.press('Enter');
  await page.click(button('إرسال البلاغ'));
  await page.see(byRole('alert'));
  await page.see(byText('اختر سببًا.'));
  await page.focused(byRole('radio', 'محتوى مزعج'));
  await page.press(' ');
  await page.fill(field(/^التفاصيل/), 'إعلان لا علاقة له بالموضوع.');
  await page.press('Tab');
  await page.press('Tab');
  await page.focused(button('إرسال البلاغ'));
  await page.press('Enter');
  await page.see(byRole('status'));
  await page.see(byText('شكرًا لك. أُرسل بلاغك إلى المشرفين.'));
  await page.focused(button('إغلاق'));
  expect(await axeFaults(engine, page)).toEqual([]);
  await page.press('Enter');
  await page.gone(byRole('dialog'));
  await page.focused(button('إبلاغ'));

  const [filed] = await reportsOf(member);
  expect(filed).toMatchObject({ target: { id: post!.id }, reason: 'spam' });
  const api = await apiAs('moderator', host.docket.url);
  const whole = (await (await api.get(`${core(host.docket.url)}/moderation/reports/${filed!.id}`)).json()) as { description: string };
  expect(whole.description).toBe('إعلان لا علاقة له بالموضوع.');

  await page.resize(360, 740);
  for (const [lang, direction, report] of [['en', 'ltr', 'Report'], ['ar', 'rtl', 'إبلاغ']] as const) {
    await page.goto(host.page({ target: posts[1]!.id, lang, member }));
    await page.click(button(report));
    const { width, left, right, over, ...shown } = await layout(page);
    expect(width).toBeLessThan(480);
    expect(left).toBeGreaterThanOrEqual(8);
    expect(right).toBeLessThanOrEqual(width - 8);
    expect(over).toBeLessThanOrEqual(0);
    expect(shown).toEqual({ direction, small: [] });
    expect(await axeFaults(engine, page)).toEqual([]);
  }
});
