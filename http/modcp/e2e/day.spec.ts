import type { APIRequestContext, Page } from '@playwright/test';
import { apiAs, core, expectCases, file, readReport } from './support/api';
import { publishedPolicy, ruleKey } from './support/screens';
import { sql } from './support/sql';
import { expect, pageAs, test } from './support/test';

/** What should have become of a report when the day is over. */
interface Meant {
  status: 'new' | 'in_progress' | 'done';
  resolution: string | null;
  rule: string | null;
  actions: string[];
  /** How often the moderator's decisions were accepted. */
  decisions: number;
  /** The moderator's notes, oldest first. */
  notes: string[];
}

const untouched: Meant = { status: 'new', resolution: null, rule: null, actions: [], decisions: 0, notes: [] };
const fine: Meant = { ...untouched, status: 'done', resolution: 'no_violation', decisions: 1 };
const banned: Meant = { ...untouched, status: 'done', resolution: 'action_taken', rule: 'advertising', actions: ['hide'], decisions: 1 };

/** Presses keys as fast as they go, and counts them by decision. */
class Keys {
  readonly perDecision: number[] = [];
  #pressed = 0;
  constructor(private readonly page: Page) {}

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
    this.#pressed += keys.length;
  }

  /** Writes a text, whose letters are no keys of the decision. */
  async write(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  /** A decision took what was pressed since the last one, or since `start`. */
  decided(): void {
    this.perDecision.push(this.#pressed);
    this.#pressed = 0;
  }

  start(): void {
    this.#pressed = 0;
  }

  /** Moves the focus there by Tab alone. */
  async tabTo(place: ReturnType<Page['locator']>): Promise<void> {
    await expect(place).toBeVisible();
    for (let left = 60; left > 0 && !(await place.evaluate((element) => element === document.activeElement)); left--) await this.press('Tab');
    await expect(place).toBeFocused();
  }
}

const reasons = ['spam', 'abusive', 'rule_violation', 'other'];
const words = 'amber basil cedar delta ember fjord grove heron inlet jetty knoll larch maple north ocean pearl quill river stone tulip umbra valley willow yarrow zephyr'.split(' ');

let made = 0;

/** Makes a post with a word to search it by, unlike every other, and files reports on it. */
async function content(word: string, reports = 1): Promise<{ post: string; ids: string[] }> {
  const n = made++;
  const text = Array.from({ length: 14 }, (_, at) => words[(n * 7 + at * (n + 3)) % words.length]! + n).join(' ');
  const post = sql(`INSERT INTO forum_posts (topic_id, category_id, author_id, title, body, locale, updated_at, published_at)
    SELECT topic_id, category_id, author_id, '${word} ${n}', '<p>${text}</p>', locale, now(), now() FROM forum_posts ORDER BY id LIMIT 1 RETURNING id`);
  const ids: string[] = [];
  for (let member = 0; member < reports; member++) ids.push(await file(`member${1 + ((n + member) % 9)}`, { targetId: post, reason: reasons[n % reasons.length], description: 'Words of the reporter.' }));
  return { post, ids };
}

async function asAdmin(id: string, command: string, data: object = {}): Promise<unknown> {
  const answer = await (await apiAs('admin')).post(`${core()}/moderation/reports/${id}/${command}`, { data });
  expect(answer.ok()).toBe(true);
  return answer.json();
}

const colleagueDecides = async (id: string) => asAdmin(id, 'resolve', { expectedVersion: (await readReport(id)).version, resolution: 'duplicate' });

async function noteOf(id: string, body: string): Promise<string> {
  return ((await asAdmin(id, 'notes', { body })) as { note: { id: string } }).note.id;
}

/** A report as the API tells it. */
async function outcome(api: APIRequestContext, id: string): Promise<Meant> {
  const report = (await readReport(id)) as unknown as Pick<Meant, 'status' | 'resolution'> & { decision: { policy: { key: string } | null; actions: string[] } | null };
  const { edges } = (await (await api.get(`${core()}/moderation/reports/${id}/timeline?first=100`)).json()) as { edges: { type: string; actor: { name: string } | null; data: { note?: { body: string } } }[] };
  const own = edges.filter(({ actor }) => actor?.name === 'Mo Moderator');
  return {
    status: report.status,
    resolution: report.resolution,
    rule: report.decision?.policy?.key ?? null,
    actions: report.decision?.actions ?? [],
    decisions: own.filter(({ type }) => type === 'resolved').length,
    notes: own.flatMap(({ type, data }) => (type === 'note_added' ? [data.note!.body] : [])),
  };
}

test('a day by the keyboard alone, at full speed: nothing is sent that was not meant, nothing is lost, and no key is dropped', async ({ browser }) => {
  // A minute and a half on a machine of its own.
  test.setTimeout(240_000);
  await publishedPolicy();
  const meant = new Map<string, Meant>();
  const mean = (ids: readonly string[], what: Meant) => ids.forEach((id) => meant.set(id, what));

  // Cases, in an order that the server chooses.
  const kinds = ['fine', 'rule', 'both', 'note', 'unread', 'pinned', 'kept', 'skip', 'park', 'undo', 'form', 'closed'] as const;
  const cases = new Map<string, { kind: (typeof kinds)[number]; ids: string[] }>();
  for (const kind of kinds) {
    const { post, ids } = await content('daybreak', kind === 'both' ? 3 : 1);
    cases.set(post, { kind, ids });
    if (kind === 'unread') await noteOf(ids[0]!, 'Its author wrote to us.');
    if (kind === 'pinned' || kind === 'kept') {
      const note = await noteOf(ids[0]!, 'Keep it visible until Friday.');
      await asAdmin(ids[0]!, `notes/${note}/pin`, { until: new Date(Date.now() + 86_400_000).toISOString() });
    }
  }
  // A list that is worked blindly, and one for what goes wrong.
  const burst: string[] = [];
  for (let n = 0; n < 6; n++) burst.push(...(await content('nightfall')).ids);
  const hard: string[] = [];
  for (let n = 0; n < 5; n++) hard.push(...(await content('midday')).ids);
  const api = await apiAs('moderator');
  const doneBefore = Number(sql("SELECT count(*) FROM watermill_docket_events WHERE metadata->>'name' = 'moderation.report.resolved'"));

  const page = await pageAs(browser, 'moderator', { own: true });
  await page.addInitScript(() => localStorage.setItem('docket.advance', 'on'));
  const keys = new Keys(page);
  const title = page.getByRole('heading', { level: 1 });

  await page.goto(`/modcp/reports/${hard[0]!}`);
  const rule = await ruleKey(page);

  await test.step('cases', async () => {
    await expectCases('daybreak', cases.size);
    await page.goto('/modcp/cases?search=daybreak');
    await expect(page.locator('a[data-case]')).toHaveCount(cases.size);
    await keys.press('g', 'n');
    const worked = new Set<string>();
    while (worked.size < cases.size) {
      const shown = await caseAfter(page, worked);
      worked.add(shown);
      const { kind, ids } = cases.get(shown)!;
      keys.start();
      if (kind === 'fine') {
        await keys.press('1');
        mean(ids, fine);
      } else if (kind === 'rule' || kind === 'both') {
        await keys.press(rule);
        mean(ids, banned);
        // The content is hidden once, by the first report's decision.
        mean(ids.slice(1), { ...banned, actions: [] });
      } else if (kind === 'note') {
        await keys.press('n');
        await keys.write('1 or 2 of them, said by u and s');
        await keys.press('Control+Enter', '1');
        mean(ids, { ...fine, notes: ['1 or 2 of them, said by u and s'] });
      } else if (kind === 'unread') {
        await keys.press('1');
        await expect(page.getByText('Read this before you decide.')).toBeVisible();
        await keys.press('1');
        mean(ids, fine);
      } else if (kind === 'pinned') {
        await keys.press(rule, rule);
        mean(ids, banned);
      } else if (kind === 'kept') {
        await keys.press(rule);
        await expect(page.getByText('Read this before you decide.')).toBeVisible();
        await keys.press('p', '3');
        mean(ids, { ...untouched, status: 'in_progress' });
      } else if (kind === 'skip') {
        await keys.press('s', '2');
        mean(ids, untouched);
      } else if (kind === 'park') {
        await keys.press('p', '1');
        mean(ids, { ...untouched, status: 'in_progress' });
      } else if (kind === 'undo') {
        await keys.press('1', 'u');
        mean(ids, { ...untouched, status: 'in_progress' });
      } else if (kind === 'form') {
        await keys.press(`Shift+Digit${rule}`, 'Enter');
        mean(ids, banned);
      } else {
        await keys.press('r');
        await keys.write('spam');
        await keys.press('Escape', '1');
        mean(ids, fine);
      }
      if (meant.get(ids[0]!)!.decisions > 0) keys.decided();
    }
    await expect(page).toHaveURL(/\/modcp\/cases\?/);
    await expect(page.getByRole('region', { name: 'Decisions on their way' })).toHaveCount(0);
  });

  await test.step('a list, blindly', async () => {
    await page.goto('/modcp/reports?search=nightfall&sort=oldest');
    await expect(page.locator('a[data-report]')).toHaveCount(burst.length);
    await keys.press('j', 'Enter');
    keys.start();
    for (const [index, id] of burst.entries()) {
      if (index % 5 === 3) {
        await keys.press('s', '4');
        mean([id], untouched);
      } else if (index % 5 === 4) {
        // Nobody writes about what is not on show yet.
        await expect(page).toHaveURL(new RegExp(id));
        await expect(page.locator('[data-verdict="1"]')).toBeEnabled();
        await keys.press('n');
        await keys.write(`number ${index}`);
        await keys.press('Control+Enter', rule);
        mean([id], { ...banned, notes: [`number ${index}`] });
      } else {
        await keys.press(index % 2 === 0 ? '1' : rule);
        mean([id], index % 2 === 0 ? fine : banned);
      }
      if (meant.get(id)!.decisions > 0) keys.decided();
      keys.start();
    }
    for (const id of burst) if (meant.get(id)!.decisions > 0) await expect.poll(async () => (await readReport(id)).status).toBe('done');
  });

  const tray = page.getByRole('region', { name: 'Decisions on their way' });
  const list = '/modcp/reports?search=midday&sort=oldest';
  const opened = async (id: string) => {
    await expect(page).toHaveURL(new RegExp(id));
    await expect(page.locator('[data-verdict="1"]')).toBeVisible();
  };

  await test.step('offline', async () => {
    await page.goto(list);
    await expect(page.locator('a[data-report]')).toHaveCount(hard.length);
    await keys.press('j', 'Enter');
    await opened(hard[0]!);
    await page.context().setOffline(true);
    keys.start();
    await keys.press('1');
    keys.decided();
    mean([hard[0]!], fine);
    await opened(hard[1]!);
    await keys.press(rule);
    keys.decided();
    mean([hard[1]!], banned);
    // Both have waited, been tried, and stay.
    await expect(tray.getByText(/was not sent\. The server cannot be reached\./)).toHaveCount(2);
    expect((await readReport(hard[0]!)).status).toBe('new');
    await page.context().setOffline(false);
    await expect(tray).toHaveCount(0);
  });

  await test.step('a session that ended', async () => {
    await opened(hard[2]!);
    const sessions = (await (await page.request.get(`${core()}/users/sessions?first=100`)).json()) as { edges: { id: string; current: boolean }[] };
    const ended = await api.delete(`${core()}/users/sessions/${sessions.edges.find(({ current }) => current)!.id}`);
    expect(ended.ok()).toBe(true);
    keys.start();
    await keys.press('1');
    keys.decided();
    mean([hard[2]!], fine);
    await expect(page).toHaveURL(/\/sign-in\?next=/);
    await expect(tray).toContainText('“No violation”');
    await keys.tabTo(page.getByRole('button', { name: /^Moderator/ }));
    await keys.press('Enter');
    await expect(page).toHaveURL(/\/modcp\/reports\//);
    await expect.poll(async () => (await readReport(hard[2]!)).status).toBe('done');
  });

  await test.step('a colleague', async () => {
    // Under a decision that waits: it is refused, says so wherever one is by then, and is given up.
    await opened(hard[3]!);
    await keys.press(rule);
    await colleagueDecides(hard[3]!);
    mean([hard[3]!], { ...untouched, status: 'done', resolution: 'duplicate' });
    await opened(hard[4]!);
    await expect(tray).toContainText('“Action taken” was not sent.');
    await keys.tabTo(tray.getByRole('button', { name: 'Give up' }));
    await keys.press('Enter');
    await expect(tray).toHaveCount(0);
    keys.start();
    await keys.press('1');
    keys.decided();
    mean([hard[4]!], fine);
  });

  await expect.poll(async () => (await readReport(hard[4]!)).status).toBe('done');
  const all = [...cases.values()].flatMap(({ ids }) => ids).concat(burst, hard);
  expect(all.filter((id) => !meant.has(id))).toEqual([]);
  const became: Record<string, Meant> = {};
  for (const id of all) became[id] = await outcome(api, id);
  expect(became).toEqual(Object.fromEntries(all.map((id) => [id, meant.get(id)])));
  // Nothing else was decided.
  const accepted = all.filter((id) => meant.get(id)!.status === 'done').length;
  expect(Number(sql("SELECT count(*) FROM watermill_docket_events WHERE metadata->>'name' = 'moderation.report.resolved'"))).toBe(doneBefore + accepted);
  const sorted = keys.perDecision.toSorted((a, b) => a - b);
  test.info().annotations.push({ type: 'keys per decision', description: sorted.join(' ') });
  expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThanOrEqual(2);
  await expect(title).toBeVisible();
});

/** The content whose case is on show, once that is none of those that were worked on. */
async function caseAfter(page: Page, worked: ReadonlySet<string>): Promise<string> {
  const shown = () => /\/cases\/forum\/forum\.post\/(\d+)/.exec(page.url())?.[1] ?? '';
  await expect.poll(() => shown() !== '' && !worked.has(shown())).toBe(true);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(sql(`SELECT title FROM forum_posts WHERE id = ${shown()}`));
  await expect(page.locator('[data-verdict="1"]')).toBeEnabled();
  return shown();
}
