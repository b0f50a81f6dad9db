import type { Page } from '@playwright/test';
import { apiAs, core, file, type StoredReport } from './support/api';
import { sql } from './support/sql';
import { expect, pageAs, test } from './support/test';

const script = 'window.__ran = true';
const payloads = [
  `<script>${script}</script>`,
  `<img src=x onerror="${script}">`,
  `<svg onload="${script}">`,
  `"><iframe srcdoc="<script>parent.__ran=true</script>">`,
  `javascript:${script}`,
  `{{constructor.constructor('${script}')()}}`,
  '\u202Egnp.exe',
  `<a href="javascript:${script}">x</a>`,
  `<style>@import 'https://evil.example/x.css';</style>`,
  `<base href="https://evil.example/">`,
];
const addresses = [`javascript:${script}`, `JaVaScRiPt:${script}`, `java\nscript:${script}`, `\u0001javascript:${script}`, `data:text/html,<script>${script}</script>`, 'vbscript:x', '//evil.example/x', '/\\evil.example'];

/** A report whose every word and address is hostile, as a careless plugin might have stored it. */
function poison(report: Record<string, unknown>): Record<string, unknown> {
  const all = payloads.join(' ');
  const marks = addresses.map((href) => ({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href, onclick: script, target: '_self' } }] }));
  const doc = {
    type: 'doc',
    content: [
      { type: 'script', content: [{ type: 'text', text: script }] },
      { type: 'iframe', attrs: { src: addresses[0] } },
      { type: 'paragraph', attrs: { onclick: script, style: 'position:fixed' }, content: [{ type: 'text', text: all }, ...marks] },
      ...addresses.map((src) => ({ type: 'image', attrs: { src, alt: all, onerror: script } })),
      { type: 'heading', attrs: { level: `1 onclick=${script}` }, content: [{ type: 'text', text: '__proto__' }] },
    ],
  };
  const files = addresses.map((url, index) => ({ id: String(index), name: all, mimeType: 'image/svg+xml', size: 1, url }));
  const person = { id: '1', name: all };
  return {
    ...report,
    description: all,
    reporter: person,
    assignee: person,
    explanation: all,
    target: { ...(report.target as object), label: all, current: { hidden: false, url: addresses[0] } },
    snapshot: {
      ...(report.snapshot as object),
      title: all,
      authors: [person],
      url: addresses[0],
      fields: [
        { name: 'body', label: all, kind: 'richText', value: doc },
        { name: 'text', label: '', kind: 'text', value: all },
        { name: 'files', label: '', kind: 'file', value: files },
        { name: 'value', label: '', kind: 'value', value: { [all]: all } },
        { name: 'strange', label: '', kind: all, value: doc },
      ],
    },
  };
}

test('hostile words and addresses never run', async ({ browser, post }) => {
  const id = await file('member6', { targetId: post.id, description: payloads.slice(0, 6).join(' ') });
  const page = await pageAs(browser, 'moderator');
  const blocked: string[] = [];
  page.on('dialog', (dialog) => void dialog.dismiss().then(() => blocked.push('dialog')));
  page.on('request', (request) => {
    if (/evil\.example/.test(request.url())) blocked.push(request.url());
  });
  await page.route(`**/moderation/reports/${id}`, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: poison((await answer.json()) as StoredReport & Record<string, unknown>) });
  });
  await page.goto(`/modcp/reports/${id}`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('<script>');

  for (const link of await page.locator('main a').all()) await link.dispatchEvent('mouseover');
  const found = await page.evaluate(() => {
    const elements = [...document.querySelectorAll('main *')];
    return {
      ran: '__ran' in window,
      handlers: elements.flatMap((element) => element.getAttributeNames().filter((name) => name.startsWith('on'))),
      forbidden: elements.filter((element) => /^(script|iframe|object|embed|base|style|img)$/i.test(element.tagName)).map((element) => element.tagName),
      schemes: [...document.querySelectorAll('main a[href]')].map((link) => (link as HTMLAnchorElement).protocol),
      origins: [...document.querySelectorAll('main a[href]')].map((link) => (link as HTMLAnchorElement).host),
      loose: [...document.querySelectorAll<HTMLAnchorElement>('main a[target="_blank"]')].filter((link) => link.rel !== 'noopener noreferrer nofollow').length,
    };
  });
  expect(found).toMatchObject({ ran: false, handlers: [], forbidden: [], loose: 0 });
  expect(found.schemes.filter((scheme) => !/^https?:$/.test(scheme))).toEqual([]);
  expect(found.origins.filter((host) => host.includes('evil'))).toEqual([]);
  expect(blocked).toEqual([]);
});

test('the policy stops what would slip through', async ({ browser }) => {
  const page = await pageAs(browser, 'moderator');
  const answer = await page.goto('/modcp/reports');
  const policy = answer!.headers()['content-security-policy']!;
  expect(policy).toMatch(/script-src 'self' 'sha256-[^' ]+';/);
  expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  expect(policy).toContain("frame-ancestors 'none'");
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const payload of payloads) {
    await page.evaluate((html) => {
      const host = document.createElement('div');
      host.innerHTML = html;
      document.body.append(host);
      const inline = document.createElement('script');
      inline.textContent = 'window.__ran = true';
      document.body.append(inline);
    }, payload);
  }
  await page.waitForFunction(() => document.readyState === 'complete');
  expect(await page.evaluate(() => '__ran' in window)).toBe(false);
});

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

test('hostile words that are stored run on no screen', async ({ browser, post }) => {
  const all = payloads.join(' ');
  const title = sql(`SELECT title FROM forum_posts WHERE id = ${Number(post.id)}`);
  const name = sql(`SELECT name FROM core_users WHERE lower(email) = 'member4@demo.test'`);
  sql(`UPDATE forum_posts SET title = ${quote(all)}, body = ${quote(`<p>${all}</p>`)} WHERE id = ${Number(post.id)}`);
  sql(`UPDATE core_users SET name = ${quote(all)} WHERE lower(email) = 'member4@demo.test'`);
  try {
    const id = await file('member4', { targetId: post.id, reason: 'other', description: all });
    const api = await apiAs('moderator');
    const one = `${core()}/moderation/reports/${id}`;
    const marks = [{ type: 'link', attrs: { href: 'https://evil.example/' } }];
    for (const body of [all, { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: all, marks }] }] }]) {
      expect((await api.post(`${one}/notes`, { data: { body } })).status()).toBe(201);
    }
    expect((await api.post(`${one}/resolve`, { data: { expectedVersion: 1, resolution: 'action_taken', explanation: all, share: true } })).ok()).toBe(true);
    const view = '<img src=x onerror="window.__ran = true">';
    expect((await api.put(`${core()}/moderation/views/${encodeURIComponent(view)}`, { data: { query: `status=all&search=${encodeURIComponent(all)}` } })).ok()).toBe(true);

    for (const [as, path, open] of [
      ['member4', '/', 'Account and settings'],
      ['member4', `/forum/posts/${post.id}`, /^Report/],
      ['moderator', '/modcp/reports?status=all', 'Views'],
      ['moderator', `/modcp/reports/${id}`, 'Replay the history'],
      ['admin', '/admin/core/events', /^Show as it stood at event/],
    ] as const) {
      const page = await pageAs(browser, as, { own: true });
      const tried = await watch(page);
      await page.goto(path);
      await page.getByRole('button', { name: open }).first().click();
      await expect(page.getByRole('dialog').or(page.getByRole('menu'))).toBeVisible();
      if (!path.startsWith('/admin')) await expect(page.locator('body')).toContainText('onerror=');
      expect(await tried(), path).toEqual([]);
    }
    await api.delete(`${core()}/moderation/views/${encodeURIComponent(view)}`);
  } finally {
    sql(`UPDATE forum_posts SET title = ${quote(title)} WHERE id = ${Number(post.id)}`);
    sql(`UPDATE core_users SET name = ${quote(name)} WHERE lower(email) = 'member4@demo.test'`);
  }
});

/** Notes what a page tries that no word of a person may make it try; also what the policy stopped. */
async function watch(page: Page): Promise<() => Promise<string[]>> {
  const tried: string[] = [];
  page.on('dialog', (dialog) => void dialog.dismiss().then(() => tried.push('a dialog')));
  page.on('request', (request) => {
    if (/evil\.example/.test(request.url())) tried.push(request.url());
  });
  await page.addInitScript(() => {
    const stopped: string[] = [];
    Object.assign(window, { __stopped: stopped });
    addEventListener('securitypolicyviolation', (event) => stopped.push(`${event.violatedDirective} ${event.blockedURI}`));
  });
  return async () => [
    ...tried,
    ...(await page.evaluate(() => [
      ...(window as unknown as { __stopped: string[] }).__stopped,
      ...('__ran' in window ? ['ran'] : []),
      ...[...document.querySelectorAll('body *')].flatMap((element) => element.getAttributeNames().filter((attribute) => attribute.startsWith('on'))),
      ...[...document.querySelectorAll('body :is(iframe, object, embed, base, form[action])')].map((element) => element.tagName),
      ...[...document.querySelectorAll<HTMLAnchorElement>('a[href]')].map((link) => link.protocol).filter((scheme) => !/^https?:$/.test(scheme)),
    ])),
  ];
}
