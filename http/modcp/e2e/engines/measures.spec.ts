import { execFileSync } from 'node:child_process';
import { expectReport, file } from '../support/api';
import { sql } from '../support/sql';
import { newAuthor, postBy, strikingRule, suspendedUntil } from '../support/strikes';
import { everywhere, expect, rarely } from './everywhere';
import { button, byRole, byText, css, field, link } from './screen';

/** What an account was told, by kind; each notice is about another event. */
const told = (user: string) => sql(`SELECT string_agg(kind || ' ' || n, ', ' ORDER BY kind) FROM (SELECT kind, count(*) AS n FROM core_notices WHERE user_id = '${user}' GROUP BY kind) k`);

everywhere('the ladder proposes a suspension, a moderator imposes it, its author appeals, and another moderator overturns it', async ({ open }) => {
  const rule = await strikingRule();
  const author = newAuthor();
  const post = postBy(author);
  const id = await file('member3', { targetId: post.id });

  const { page } = await open('moderator');
  await page.goto(`/modcp/reports/${id}`);
  await page.see(css('[data-verdict]', /a measure on the author is proposed/)); // it moves what stands below
  await page.click(button('Resolve'));
  await page.click(byRole('radio', /^Action taken/));
  await page.see(css('[contenteditable="true"]'));
  await page.click(byRole('checkbox', 'Hide content'));
  await page.click(byRole('combobox', 'Rule'));
  await page.type(rule.title);
  await page.click(byRole('option', new RegExp(`^${rule.title}`)));
  await page.see(byRole('checkbox', 'Suspend for 7 days'));
  await page.see(byText(/2 strikes with this decision/));
  await page.click(button('Resolve report'));
  await page.click(button('Send now'));
  await expectReport(id, { status: 'done', resolution: 'action_taken' });
  expect(suspendedUntil(author)).not.toBe('');
  await page.see(byText('Suspension'));

  const { page: member } = await open(author.name);
  await member.goto('/');
  await member.see(byText(/^You are suspended until/));
  await member.goto('/decisions');
  await member.see(byText('You have 2 strikes.'));
  await member.click(link('Read the decision and appeal'));
  await member.fill(field(/^Why is the decision wrong/), 'It was posted once.');
  await member.click(button('Send appeal'));
  await member.see(byText('Your appeal was sent. Another moderator will look at it.'));

  const { page: judge } = await open('admin');
  await judge.goto('/modcp/appeals');
  await judge.click(link(post.title));
  await judge.see(byText('Suspension'));
  await judge.click(button('Overturn decision'));
  await judge.fill(field('Reply'), 'You are right.');
  await judge.click(button('Overturn decision', byRole('form', 'Overturn decision')));
  await judge.see(byText('The decision was overturned.'));
  expect(suspendedUntil(author)).toBe('');
  expect(sql(`SELECT max(occurred_at) - min(occurred_at) < interval '1 second' FROM core_moderation_report_events WHERE report_id = '${id}' AND type IN ('appeal_decided', 'measure_ended')`)).toBe('t');

  await member.goto('/decisions');
  await member.see(byText('You have no strikes.'));
  await member.see(byText('No measure stands against you.'));
  const reporter = sql(`SELECT reporter_id FROM core_moderation_reports WHERE id = '${id}'`);
  await member.until('until both have heard', async () => told(author.id) === 'appeal 1, decision 1, measure 2');
  // Of the decision, and of what it is after the appeal.
  expect(sql(`SELECT count(*) FROM core_notices WHERE user_id = '${reporter}' AND report_id = '${id}'`)).toBe('2');

  const environment = { ...process.env, DOCKET_DATA_DIR: process.env.E2E_DATA!, DATABASE_URL: '', LOG_LEVEL: 'error' };
  for (const what of ['audit', 'projections']) execFileSync(process.env.E2E_BINARY!, [what, 'verify'], { env: environment, stdio: 'pipe' });
}, rarely);
