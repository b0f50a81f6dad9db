import type { Page } from '@playwright/test';
import { ar } from '../../src/i18n/ar';
import { en } from '../../src/i18n/en';
import type { MessageKey } from '../../src/i18n/messages';
import { campaign } from './campaign';
import { apiAs, authorOf, core, file, forum, newMember, readReport, unreportedPost, type Filing, type ForumItem } from './api';
import { disputedDecision, drawnDecision } from './seconds';
import { setAside, sql } from './sql';
import { decideAgainst, inDays, newAuthor, postBy, screenAuthor, strikingRule } from './strikes';
import { expect } from './test';

/** A screen, or one state of it, that is judged as a whole: by axe, by its width and by eye. */
export interface Screen {
  name: string;
  as: string | null;
  path: string | (() => Promise<string>);
  /** What is done there; things go by names in the language of the page. */
  open?: (page: Page, named: Named) => Promise<void>;
  /** True where what was opened goes away by itself. */
  passing?: boolean;
  /** The part of an address that is asked for and refused there, which the console tells. */
  refused?: string;
}

export type Locale = 'en' | 'ar';

/** What a name made by a message begins with: its words before the first that is filled in. */
type Named = (key: MessageKey) => RegExp;

const namedIn =
  (locale: Locale): Named =>
  (key) =>
    new RegExp(`^${{ en, ar }[locale][key].split('{')[0]!.replace(/[.*+?^$()|[\]\\]/g, '\\$&')}`);

let decided: Promise<string> | undefined;
let changed: Promise<{ id: string; post: string }> | undefined;
let appealed: Promise<Appealed> | undefined;
let lookAlike: Promise<string> | undefined;
let hooked: Promise<void> | undefined;
let measured: Promise<string> | undefined;
let muted: Promise<string> | undefined;
let proposed: Promise<string> | undefined;
let tested: Promise<string> | undefined;
let automatic: Promise<string> | undefined;

let published: Promise<string> | undefined;
let held: Promise<void> | undefined;
let disputed: Promise<void> | undefined;
let waiting: Promise<string> | undefined;

let waits: Promise<string> | undefined;

let listed: Promise<ForumItem[]> | undefined;

/** The demo's posts as they were at first: each keeps its place, whatever screens add. */
const demoPosts = () => (listed ??= forum('posts'));

/** A report with a decision that waits for a second person. */
function waitingReport(): Promise<string> {
  waits ??= (async () => {
    const id = await file('member8', { targetId: unreportedPost().id });
    const admin = await apiAs('admin');
    const api = await apiAs('moderator');
    await admin.post(`${core()}/admin/policies`, { data: { key: 'two-keys', title: 'Two keys', text: 'Be kind.', secondKey: true } });
    const { version } = await readReport(id);
    await api.post(`${core()}/moderation/reports/${id}/resolve`, { data: { expectedVersion: version, resolution: 'action_taken', policy: { key: 'two-keys', version: 1 }, explanation: 'Two of us should look.' } });
    await admin.post(`${core()}/admin/policies/two-keys/retire`); // other screens do not offer it
    return id;
  })();
  return waits;
}

/** A report that waits for its leads. */
async function escalatedReport(): Promise<string> {
  const id = await file('member7', { targetId: unreportedPost().id });
  const { version } = await readReport(id);
  await (await apiAs('moderator')).post(`${core()}/moderation/reports/${id}/escalate`, { data: { to: 'leads', note: 'Two of us do not agree on it.', expectedVersion: version } });
  return id;
}

/** A report with a note and a decision, so that its screen shows all it can. */
export function decidedReport(): Promise<string> {
  decided ??= (async () => {
    const post = (await demoPosts())[40]!;
    const id = await file('member9', { targetId: post.id, description: 'Words of the reporter.' });
    const api = await apiAs('moderator');
    const { version } = await readReport(id);
    await api.post(`${core()}/moderation/reports/${id}/notes`, { data: { body: 'Words of a moderator.' } });
    await api.post(`${core()}/moderation/reports/${id}/resolve`, { data: { expectedVersion: version, resolution: 'no_violation' } });
    return id;
  })();
  return decided;
}

const reportPath = async () => `/modcp/reports/${await decidedReport()}`;

/** Files a report, or finds the one that an earlier try left open. */
async function fileOnce(as: string, filing: Filing): Promise<string> {
  try {
    return await file(as, filing);
  } catch {
    const api = await apiAs('moderator');
    const answer = await api.get(`${core()}/moderation/reports?targetType=forum.post&targetId=${filing.targetId}&first=1`);
    return ((await answer.json()) as { edges: { id: string }[] }).edges[0]!.id;
  }
}

/** Reports of every status, so that a list looks like one. */
export async function fillBoard(): Promise<void> {
  screenAuthor();
  await decidedReport();
  await changedReport();
  const posts = await demoPosts();
  for (const [index, reason] of (['spam', 'abusive', 'rule_violation', 'spam'] as const).entries()) {
    const id = await fileOnce(`member${index + 1}`, { targetId: posts[30 + index]!.id, reason });
    if (index % 2 === 1) await (await apiAs('moderator')).post(`${core()}/moderation/reports/${id}/claim`, { data: { expectedVersion: 1 } });
  }
}

/** A report on a post that its author has edited since, and a second one with a colleague's note on the same post. */
async function changedReport(): Promise<string> {
  changed ??= (async () => {
    const post = (await demoPosts())[41]!;
    await fileOnce('member8', { targetId: post.id, reason: 'abusive' });
    const id = await fileOnce('member9', { targetId: post.id, reason: 'other', description: `Words of the reporter, ${'and more of them, '.repeat(20)}to the end.` });
    sql(`UPDATE forum_posts SET body = '<p>Nothing to see here.</p>' WHERE id = ${Number(post.id)}`);
    await (await apiAs('admin')).post(`${core()}/moderation/reports/${id}/notes`, { data: { body: 'Words of a colleague.' } });
    return { id, post: post.id };
  })();
  return `/modcp/reports/${(await changed).id}`;
}

/** A case of two reports whose evidence differs. */
async function casePath(): Promise<string> {
  await changedReport();
  return `/modcp/cases/forum/forum.post/${(await changed!).post}`;
}

/** A report with look-alikes, whose link imitates another. */
async function lookAlikePath(): Promise<string> {
  lookAlike ??= campaign('gardens', ['nine', 'nine', 'seven'], 'https://раураl.example/gardens').then((ids) => ids[0]!);
  return `/modcp/reports/${await lookAlike}`;
}

async function contentPath(): Promise<string> {
  return `/forum/posts/${(await demoPosts())[0]!.id}`;
}

/** A webhook that has sent something. */
async function webhooksPath(): Promise<string> {
  hooked ??= (async () => {
    const api = await apiAs('admin');
    const made = await api.post(`${core()}/admin/webhooks`, { data: { url: 'https://hooks.example.test/a/rather/long/path/for/docket?team=moderation', events: ['moderation.report.created', 'moderation.report.resolved'] } });
    const { id } = (await made.json()) as { id: string };
    await api.post(`${core()}/admin/webhooks/${id}/ping`);
  })();
  await hooked;
  return '/admin/core/webhooks';
}

/** A hold that stands, on a report, and one on an author. */
function heldReport(): Promise<void> {
  held ??= (async () => {
    const api = await apiAs('admin');
    for (const what of [{ reports: [await decidedReport()] }, { authorId: 'an-author-with-a-rather-long-id-that-a-platform-gave-01a21284' }])
      await api.post(`${core()}/admin/holds`, { data: { ...what, basis: 'Claim for damages, in the words of the court: <b>all of it</b>', reference: '4 O 12/26', until: inDays(300) } });
  })();
  return held;
}

/** A policy of two versions, with a template. */
export async function publishedPolicy(): Promise<string> {
  const api = await apiAs('admin');
  for (const text of ['Advertising is not allowed.', 'Advertising is not allowed. A link that answers a question is.']) {
    await api.post(`${core()}/admin/policies`, { data: { key: 'advertising', title: 'No advertising', text, template: 'Your post advertises a product.' } });
  }
  return 'advertising';
}

/** The key that decides the report on show by that policy. */
export async function ruleKey(page: Page): Promise<string> {
  const verdict = page.locator('[data-verdict]', { hasText: 'No advertising' });
  await expect(verdict).toBeVisible();
  return (await verdict.getAttribute('data-verdict'))!;
}

/** A platform of two versions. */
async function connectedPlatform(): Promise<string> {
  const api = await apiAs('admin');
  for (const types of [['review'], ['review', 'photo']]) {
    const declared = types.map((type) => `  - {id: arcade.${type}, label: arcade.${type}, permissionModule: reviews, key: {kind: bigint}, fields: {title: {kind: text}}, reports: true}\n`);
    await api.put(`${core()}/admin/platforms/arcade`, { data: { manifest: `id: arcade\nremote: {url: "https://arcade.example.test/docket"}\nremoteTypes:\n${declared.join('')}` } });
  }
  return 'arcade';
}

interface Appealed {
  reportId: string;
  appealId: string;
  author: string;
}

/** A decision by a rule, with reasons, that the author has appealed. */
function appealedReport(): Promise<Appealed> {
  appealed ??= (async () => {
    const key = await publishedPolicy();
    const post = (await demoPosts())[42]!;
    const reportId = await fileOnce('member8', { targetId: post.id });
    const author = await authorOf(reportId);
    const moderator = await apiAs('moderator');
    const path = `${core()}/moderation/reports/${reportId}`;
    await moderator.post(`${path}/actions/hide`, { data: { expectedVersion: (await readReport(reportId)).version } });
    const policies = await (await moderator.get(`${core()}/moderation/policies?key=${key}`)).json() as { edges: { version: number }[] };
    await moderator.post(`${path}/resolve`, {
      data: { expectedVersion: (await readReport(reportId)).version, resolution: 'action_taken', explanation: 'The third one this week.', policy: { key, version: policies.edges[0]!.version }, reasons: 'Your post advertises a product. Post it again without the link.' },
    });
    await (await apiAs(author)).post(`${core()}/users/decisions/${reportId}/appeal`, { data: { text: 'I answered a question, and the shop is not mine.' } });
    const { edges } = (await (await moderator.get(`${core()}/moderation/appeals?status=open&first=100`)).json()) as { edges: { id: string; reportId: string }[] };
    return { reportId, author, appealId: edges.find((appeal) => appeal.reportId === reportId)!.id };
  })();
  return appealed;
}

/** The id of a member who was warned, suspended and restricted, of which the last two stand. */
function measuredAuthor(): Promise<string> {
  measured ??= (async () => {
    const author = screenAuthor();
    const moderator = await apiAs('moderator');
    const warned = await decideAgainst(author, [{ kind: 'warn' }], 'The first time');
    const { version, measures } = (await readReport(warned)) as unknown as { version: number; measures: { measureId: string }[] };
    await moderator.post(`${core()}/moderation/measures/${measures[0]!.measureId}/end`, { data: { reason: 'It was a misunderstanding.', expectedVersion: version } });
    const id = await decideAgainst(author, [{ kind: 'suspend', until: inDays(7) }, { kind: 'restrict' }], 'The second time');
    await (await apiAs('author')).post(`${core()}/users/decisions/${id}/appeal`, { data: { text: 'It was posted once.' } });
    return author.id;
  })();
  return measured;
}

/** A report by somebody who is muted. */
function mutedPath(): Promise<string> {
  muted ??= (async () => {
    const id = await file(newMember(), { targetId: unreportedPost().id });
    const { reporter } = (await readReport(id)) as unknown as { reporter: { id: string } };
    await (await apiAs('moderator')).post(`${core()}/moderation/reporters/${reporter.id}/mute`, { data: { until: inDays(1), reason: 'Reports whoever they quarrel with.' } });
    return `/modcp/reports/${id}`;
  })();
  return muted;
}

/** A report with which the ladder proposes a measure. */
function proposedPath(): Promise<string> {
  proposed ??= (async () => {
    await strikingRule();
    return `/modcp/reports/${await file('member3', { targetId: postBy(newAuthor(), 'Once and again').id })}`;
  })();
  return proposed;
}

/** A back-test that has matched something and is done. */
function backtested(): Promise<string> {
  tested ??= (async () => {
    await decidedReport();
    const api = await apiAs('admin');
    const path = `${core()}/admin/rules/backtests`;
    const { id } = (await (await api.post(path, { data: { when: 'reason == "spam" && !links.exists(l, l.matches("^https?://([^/]*\\\\.)?shop\\\\.example/")) && reporters >= 1' } })).json()) as { id: string };
    await expect.poll(async () => ((await (await api.get(`${path}/${id}`)).json()) as { state: string }).state).toBe('done');
    return id;
  })();
  return tested;
}

/** The numbers of the last days, published. */
function publishedNumbers(): Promise<string> {
  published ??= (async () => {
    await appealedReport();
    const api = await apiAs('admin');
    const path = `${core()}/admin/transparency`;
    const { id } = (await (await api.post(path, { data: { since: inDays(-20).slice(0, 10), until: inDays(0).slice(0, 10) } })).json()) as { id: string };
    await expect.poll(async () => (await api.post(`${path}/${id}/publish`)).ok()).toBe(true);
    return id;
  })();
  return published;
}

/** A rule in the shadow, with two versions. */
function automaticRule(): Promise<string> {
  automatic ??= (async () => {
    await decidedReport();
    const api = await apiAs('admin');
    const key = `shop-links-${Date.now()}`;
    for (const points of [10, 20]) {
      const then = { points, due: '4h', tags: ['links', 'shop'], hide: points === 20 };
      await api.post(`${core()}/admin/rules`, { data: { key, title: 'Links to shops', when: `links.exists(l, l.contains("shop.example")) && reporters >= ${points / 10}`, then } });
    }
    await api.post(`${core()}/admin/rules/${key}/mode`, { data: { mode: 'shadow' } });
    return key;
  })();
  return automatic;
}

async function poisonPath(): Promise<string> {
  setAside(await decidedReport(), 'stats.counts', 'Words of a listener that failed.');
  return '/admin/core/advanced/poison';
}

async function entryPath(): Promise<string> {
  const api = await apiAs('admin');
  const answer = await api.get(`${core()}/admin/staff/moderators`);
  const { edges } = (await answer.json()) as { edges: { id: string; user: { email: string } }[] };
  return `/admin/core/staff/moderators/${edges.find((entry) => entry.user.email === 'scoped@demo.test')!.id}`;
}

/** What was done brings this up. */
async function shows(page: Page, done: Promise<void>, role: 'dialog' | 'menu'): Promise<void> {
  await done;
  await expect(page.getByRole(role)).toBeVisible();
}

/** Opens the dialog of a key, once the case takes keys. */
async function pressOnCase(page: Page, key: string): Promise<void> {
  await expect(page.locator('[data-verdict="1"]')).toBeVisible();
  await shows(page, page.keyboard.press(key), 'dialog');
}

/** Opens the form for a decision. */
async function startDeciding(page: Page, named: Named): Promise<void> {
  await page.getByRole('button', { name: named('report.changeDecision') }).click();
}

export const screens: Screen[] = [
  { name: 'demo site', as: 'member1', path: '/' },
  { name: 'report dialog', as: 'member1', path: '/', open: (page, named) => shows(page, page.getByRole('button', { name: named('demo.reportThis') }).first().click(), 'dialog') },
  { name: 'demo content', as: 'member1', path: contentPath },
  { name: 'notices', as: 'member9', path: async () => (await decidedReport(), '/') },
  { name: 'sign-in', as: null, path: '/sign-in' },
  { name: 'forgotten password', as: null, path: '/forgot' },
  { name: 'link to choose a password', as: null, path: '/reset?token=none' },
  { name: 'invitation', as: null, path: '/reset?invitation=1&token=none' },
  { name: 'link that is used up', as: null, path: '/reset' },
  { name: 'set-up', as: null, path: '/setup?token=none' },
  { name: 'end of a digest', as: null, path: '/digest?token=none' },
  { name: 'account', as: 'moderator', path: '/account' },
  { name: 'new authenticator app', as: 'moderator', path: '/account', open: (page, named) => shows(page, page.getByRole('button', { name: named('factors.addApp') }).click(), 'dialog') },
  { name: 'new token', as: 'moderator', path: '/account', open: (page, named) => shows(page, page.getByRole('button', { name: named('tokens.new') }).click(), 'dialog') },
  { name: 'board', as: 'moderator', path: '/modcp/reports?status=all' },
  {
    name: 'board with a filter',
    as: 'moderator',
    path: '/modcp/reports?status=all',
    open: async (page, named) => {
      // On a phone the filters are folded away.
      const filters = page.getByRole('button', { name: named('board.filters') });
      if (await filters.isVisible()) await filters.click();
      await page.getByRole('combobox', { name: named('board.reason') }).selectOption('abusive');
      await expect(page.getByRole('button', { name: named('board.clearFilters') })).toBeVisible();
    },
  },
  { name: 'empty board', as: 'moderator', path: '/modcp/reports?search=zzzzzz' },
  { name: 'selection', as: 'moderator', path: '/modcp/reports?status=all', open: (page) => page.getByRole('checkbox').nth(1).check() },
  {
    name: 'bulk preview',
    as: 'moderator',
    path: '/modcp/reports?status=all',
    open: async (page, named) => {
      for (const index of [1, 2, 3]) await page.getByRole('checkbox').nth(index).check();
      await page.locator('[data-selection]').getByRole('button', { name: named('bulk.resolve') }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  { name: 'report', as: 'moderator', path: reportPath },
  {
    name: 'report whose content changed',
    as: 'moderator',
    path: changedReport,
    open: async (page, named) => {
      await page.getByRole('button', { name: named('report.compare') }).click();
      await expect(page.locator('ins').first()).toBeVisible();
    },
  },
  {
    name: 'report with its forms',
    as: 'moderator',
    path: reportPath,
    open: async (page, named) => {
      await startDeciding(page, named);
      await page.getByRole('textbox', { name: named('note.body') }).fill('a draft');
      await page.getByText(named('note.rich')).click();
      await expect(page.locator('[contenteditable="true"]')).toBeVisible();
    },
  },
  { name: 'report with a link', as: 'moderator', path: lookAlikePath, open: (page) => shows(page, page.locator('[aria-label] button[title^="https"]').first().click(), 'dialog') },
  {
    name: 'look-alikes',
    as: 'moderator',
    path: lookAlikePath,
    open: async (page, named) => {
      await shows(page, page.getByRole('button', { name: named('similar.open') }).click(), 'dialog');
      await expect(page.locator('ins').first()).toBeVisible();
    },
  },
  { name: 'replay', as: 'moderator', path: reportPath, open: (page, named) => shows(page, page.getByRole('button', { name: named('replay.open') }).click(), 'dialog') },
  {
    name: 'decision that waits',
    as: 'moderator',
    path: reportPath,
    passing: true,
    open: async (page, named) => {
      await startDeciding(page, named);
      await page.getByRole('radio', { name: named('resolution.no_violation') }).click();
      await page.getByRole('form').getByRole('button', { name: named('report.changeDecision') }).click();
      await expect(page.getByRole('button', { name: named('bulk.now') })).toBeVisible();
    },
  },
  { name: 'report for a viewer', as: 'viewer', path: reportPath },
  { name: 'mutes of a reporter', as: 'moderator', path: mutedPath, open: (page) => shows(page, page.getByRole('button', { name: /’s mutes$|سجلّ كتم/ }).first().click(), 'dialog') },
  { name: 'report not found', as: 'moderator', path: '/modcp/reports/01900000-0000-7000-8000-000000000000', refused: '/reports/01900000' },
  { name: 'help', as: 'moderator', path: '/modcp/reports', open: (page) => shows(page, page.keyboard.press('?'), 'dialog') },
  { name: 'palette', as: 'moderator', path: '/modcp/reports', open: (page) => shows(page, page.keyboard.press('Control+k'), 'dialog') },
  { name: 'user menu', as: 'moderator', path: '/modcp/reports', open: (page, named) => shows(page, page.getByRole('button', { name: named('pref.account') }).click(), 'menu') },
  { name: 'views', as: 'moderator', path: '/modcp/reports', open: (page, named) => shows(page, page.getByRole('button', { name: named('views.title') }).click(), 'dialog') },
  { name: 'report decided by a rule', as: 'moderator', path: async () => `/modcp/reports/${(await appealedReport()).reportId}` },
  {
    name: 'decision by a rule',
    as: 'moderator',
    path: async () => (await publishedPolicy(), reportPath()),
    open: async (page, named) => {
      await startDeciding(page, named);
      await page.getByRole('radio', { name: named('resolution.action_taken') }).click();
      await expect(page.getByRole('form').locator('[contenteditable="true"]')).toBeVisible();
      await shows(page, page.getByRole('button', { name: named('statement.preview') }).click(), 'dialog');
    },
  },
  {
    name: 'record of an author',
    as: 'moderator',
    path: async () => `/modcp/reports/${(await appealedReport()).reportId}`,
    open: async (page) => {
      await page.locator('[data-author-record]').click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  { name: 'cases', as: 'moderator', path: async () => (await fillBoard(), '/modcp/cases') },
  { name: 'case', as: 'moderator', path: async () => (await publishedPolicy(), casePath()), open: (page) => expect(page.locator('[data-verdict="2"]')).toBeVisible() },
  { name: 'case that is skipped', as: 'moderator', path: casePath, open: (page) => pressOnCase(page, 's') },
  { name: 'case that is parked', as: 'moderator', path: casePath, open: (page) => pressOnCase(page, 'p') },
  { name: 'decisions to release', as: 'admin', path: async () => (await waitingReport(), '/modcp/held') },
  { name: 'decision to release', as: 'admin', path: async () => `/modcp/reports/${await waitingReport()}` },
  { name: 'escalated report', as: 'admin', path: async () => `/modcp/reports/${await escalatedReport()}` },
  { name: 'appeals', as: 'admin', path: async () => (await appealedReport(), '/modcp/appeals') },
  {
    name: 'appeal',
    as: 'admin',
    path: async () => `/modcp/appeals/${(await appealedReport()).appealId}`,
    open: (page, named) => page.getByRole('button', { name: named('appeal.overturn') }).click(),
  },
  {
    name: 'second opinion',
    as: 'scoped',
    path: async () => (await publishedPolicy(), await (disputed ??= disputedDecision()), await (waiting ??= drawnDecision()), '/modcp/seconds'),
    open: async (page, named) => {
      await page.getByRole('button', { name: named('seconds.next') }).click();
      await expect(page.locator('[data-verdict="2"]')).toBeVisible();
      await page.locator('[data-verdict="2"]').click();
      await expect(page.getByRole('combobox')).toBeVisible();
    },
  },
  {
    name: 'disputed decisions',
    as: 'admin',
    path: async () => (await (disputed ??= disputedDecision()), '/modcp/seconds'),
    open: (page, named) => shows(page, page.getByRole('button', { name: named('seconds.settleOf') }).first().click(), 'dialog'),
  },
  { name: 'measures', as: 'moderator', path: async () => (await measuredAuthor(), '/modcp/measures') },
  { name: 'author', as: 'moderator', path: async () => `/modcp/authors/forum/${await measuredAuthor()}` },
  { name: 'end of a measure', as: 'moderator', path: async () => (await measuredAuthor(), '/modcp/measures'), open: (page, named) => shows(page, page.getByRole('button', { name: named('measure.endOf') }).first().click(), 'dialog') },
  {
    name: 'decision with measures',
    as: 'moderator',
    path: proposedPath,
    open: async (page, named) => {
      await page.locator('[data-verdict]', { hasText: 'No flooding' }).click();
      await page.getByRole('button', { name: named('measure.change') }).click();
      await page.getByRole('button', { name: named('measure.add') }).click();
      await expect(page.getByRole('form').locator('[contenteditable="true"]')).toBeVisible();
    },
  },
  { name: 'ladder', as: 'admin', path: async () => (await strikingRule(), '/admin/core/policies/ladder') },
  { name: 'my standing', as: 'author', path: async () => (await measuredAuthor(), '/decisions') },
  { name: 'demo site of a suspended member', as: 'author', path: async () => (await measuredAuthor(), '/') },
  { name: 'my decisions', as: 'member8', path: async () => (await appealedReport(), '/decisions') },
  { name: 'my decision', as: 'member8', path: async () => `/decisions/${(await appealedReport()).reportId}` },
  { name: 'dashboard', as: 'moderator', path: '/modcp/dashboard' },
  { name: 'moderators', as: 'admin', path: '/admin/core/staff/moderators' },
  { name: 'new moderator', as: 'admin', path: '/admin/core/staff/moderators', open: (page, named) => shows(page, page.getByRole('button', { name: named('staff.addModerator') }).first().click(), 'dialog') },
  { name: 'moderator', as: 'admin', path: entryPath },
  { name: 'administrators', as: 'admin', path: '/admin/core/staff/admins' },
  {
    name: 'scope picker',
    as: 'admin',
    path: entryPath,
    open: async (page, named) => {
      await page.getByRole('button', { name: named('scope.editFor') }).first().click();
      await expect(page.getByRole('dialog').getByRole('checkbox').first()).toBeVisible();
    },
  },
  { name: 'users', as: 'admin', path: '/admin/core/users' },
  { name: 'trusted flagger', as: 'admin', path: '/admin/core/users', open: (page, named) => shows(page, page.getByRole('button', { name: named('users.trustOf') }).first().click(), 'dialog') },
  { name: 'new user', as: 'admin', path: '/admin/core/users', open: (page, named) => shows(page, page.getByRole('button', { name: named('users.invite') }).click(), 'dialog') },
  { name: 'policies', as: 'admin', path: async () => (await publishedPolicy(), '/admin/core/policies') },
  {
    name: 'policy with its versions',
    as: 'admin',
    path: async () => `/admin/core/policies/edit/${await publishedPolicy()}`,
    open: (page) => expect(page.locator('[contenteditable="true"]').nth(1)).toBeVisible(),
  },
  { name: 'new policy', as: 'admin', path: '/admin/core/policies/new', open: (page) => expect(page.locator('[contenteditable="true"]').nth(1)).toBeVisible() },
  { name: 'rules', as: null, path: async () => (await publishedPolicy(), '/rules') },
  { name: 'platforms', as: 'admin', path: async () => (await connectedPlatform(), '/admin/core/platforms') },
  {
    name: 'platform with its versions',
    as: 'admin',
    path: async () => `/admin/core/platforms/edit/${await connectedPlatform()}`,
    open: async (page, named) => {
      await page.getByRole('button', { name: named('platforms.ask') }).click();
      await expect(page.getByRole('list', { name: named('platforms.answers') })).toBeVisible();
    },
  },
  {
    name: 'manifest with faults',
    as: 'admin',
    path: '/admin/core/platforms/new',
    open: async (page) => {
      await page.locator('main textarea').fill('id: shop\nremote: {url: here}\nremoteTypes: {}\n');
      await expect(page.locator('[data-fault]').first()).toBeVisible();
    },
  },
  {
    name: 'condition with faults',
    as: 'admin',
    path: async () => (await backtested(), '/admin/core/rules/backtests'),
    open: async (page) => {
      await page.locator('main textarea').fill('reason == "spam" &&\n  titel.contains("shop")');
      await expect(page.locator('[data-fault]').first()).toBeVisible();
    },
  },
  { name: 'transparency', as: 'admin', path: async () => (await publishedNumbers(), '/admin/core/transparency') },
  { name: 'transparency report', as: null, path: async () => `/transparency/${await publishedNumbers()}` },
  { name: 'notice', as: null, path: '/notice' },
  { name: 'legal holds', as: 'admin', path: async () => (await heldReport(), '/admin/core/holds') },
  { name: 'how much is decided again', as: 'admin', path: async () => (await (disputed ??= disputedDecision()), '/admin/core/quality') },
  { name: 'EU statements', as: 'admin', path: '/admin/core/statements' },
  { name: 'back-tests', as: 'admin', path: async () => (await backtested(), '/admin/core/rules/backtests') },
  { name: 'back-test', as: 'admin', path: async () => `/admin/core/rules/backtests/${await backtested()}` },
  { name: 'automated rules', as: 'admin', path: async () => (await automaticRule(), '/admin/core/rules') },
  { name: 'automated rule with its versions', as: 'admin', path: async () => `/admin/core/rules/edit/${await automaticRule()}` },
  { name: 'scheduled jobs', as: 'admin', path: '/admin/core/advanced/cron' },
  { name: 'queue', as: 'admin', path: '/admin/core/advanced/queue' },
  { name: 'failed events', as: 'admin', path: poisonPath },
  { name: 'projections', as: 'admin', path: '/admin/core/advanced/projections' },
  { name: 'event log', as: 'admin', path: '/admin/core/events', open: (page, named) => page.getByRole('button', { name: named('events.details') }).first().click() },
  {
    name: 'replay of an event',
    as: 'admin',
    path: '/admin/core/events',
    open: async (page, named) => {
      await page.getByRole('button', { name: named('events.replayOf') }).first().click();
      await expect(page.getByRole('dialog').getByRole('slider')).toBeVisible();
    },
  },
  { name: 'webhooks', as: 'admin', path: webhooksPath },
  {
    name: 'deliveries',
    as: 'admin',
    path: webhooksPath,
    open: async (page, named) => {
      await page.getByRole('button', { name: named('webhooks.deliveries') }).first().click();
      await expect(page.getByRole('dialog').getByRole('row').nth(1)).toBeVisible();
    },
  },
  { name: 'new webhook', as: 'admin', path: webhooksPath, open: (page, named) => shows(page, page.getByRole('button', { name: named('webhooks.add') }).click(), 'dialog') },
  { name: 'integrations', as: 'admin', path: '/admin/core/integrations' },
  { name: 'system', as: 'admin', path: '/admin/core/system' },
  { name: 'no such page', as: 'admin', path: '/modcp/nowhere' },
  { name: 'no access', as: 'member1', path: '/modcp/reports' },
];

/** The screens of each account in turn, so that one page goes through them. */
export function byAccount(some: readonly Screen[] = screens): [as: Screen['as'], shown: Screen[]][] {
  return [...new Set(some.map((screen) => screen.as))].map((as) => [as, some.filter((screen) => screen.as === as)]);
}

/** Goes to a screen and waits until it is all there. */
export async function visit(page: Page, screen: Screen): Promise<void> {
  await page.goto(typeof screen.path === 'string' ? screen.path : await screen.path());
  await settled(page);
}

/** Opens what the screen has to open, and waits until nothing moves: half-faded colours have no contrast to judge. */
export async function open(page: Page, screen: Screen, locale: Locale = 'en'): Promise<void> {
  await screen.open?.(page, namedIn(locale));
  await settled(page);
  await page.waitForFunction(() => [...document.querySelectorAll('[role=dialog], [role=menu]')].every((element) => getComputedStyle(element).opacity === '1'));
}

/** Goes to a screen in the panel that runs, by way of a page on which nothing of the screen before is left. Guests have no such page. */
export async function turnTo(page: Page, screen: Screen): Promise<void> {
  if (screen.as === null || (await page.locator('h1').count()) === 0) return visit(page, screen);
  const path = typeof screen.path === 'string' ? screen.path : await screen.path();
  for (const next of new Set(['/modcp/nowhere', path])) {
    await page.locator('h1').first().waitFor();
    await page.evaluate((address) => {
      document.querySelector('h1')!.dataset.before = '';
      for (const key of Object.keys(localStorage)) if (key !== 'docket.locale') localStorage.removeItem(key);
      sessionStorage.clear();
      history.pushState(null, '', address);
      dispatchEvent(new PopStateEvent('popstate'));
    }, next);
    await expect(page.locator('[data-before]')).toHaveCount(0);
    await expect(page.locator('[role=dialog], [role=menu]')).toHaveCount(0);
  }
  await settled(page);
}

async function settled(page: Page): Promise<void> {
  await expect(page.locator('main')).toBeVisible();
  await expect(page.locator('[data-loading], [data-stale]')).toHaveCount(0);
}
