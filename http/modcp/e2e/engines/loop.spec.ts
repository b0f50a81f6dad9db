import { expectReport, file } from '../support/api';
import { publishedPolicy } from '../support/screens';
import { everywhere, others } from './everywhere';
import { button, byRole, byText, css, field, link, nth } from './screen';

everywhere('a member files; a moderator signs in, claims, notes, hides, resolves, undoes and reopens', async ({ open, post }) => {
  await publishedPolicy();
  const { page: member } = await open('member1');
  await member.goto(`/forum/posts/${post.id}`);
  await member.click(button(/^Report/));
  await member.click(byRole('radio', /^Other/));
  await member.fill(field(/^Details/), 'This reads like an advertisement.');
  await member.click(button('Send report'));
  await member.see(byText(/Thank you/));

  const { page } = await open(null);
  await page.goto('/sign-in');
  await page.click(button(/^Moderator/));
  await page.see(byRole('heading', 'Cases'));
  await page.click(css('label', 'Reports'));
  await page.see(byRole('heading', 'Reports'));
  await page.click(link(/^All.*\d/)); // once it has its number, which makes the tabs wider
  await page.until('for the tab in the address', async () => (await page.path()).includes('status=all'));
  await page.click(link(/^New/));
  await page.click(nth(css('a[data-report]'), 0));
  await page.see(byText('This reads like an advertisement.'));
  const id = /reports\/([0-9a-f-]+)/.exec(await page.path())![1]!;

  await page.click(button('Claim'));
  await page.see(byText('In progress'));
  await page.fill(field('Note'), 'Looked at the author.');
  await page.click(button('Add note'));
  await page.see(css('ol p', 'Looked at the author.'));

  await page.click(button('Hide content'));
  await page.see(byText('Only moderators can see it.'));
  await page.click(button('Restore content'));
  await page.see(byText('Everybody can see it.'));

  await page.click(button('Resolve'));
  await page.click(byRole('radio', /^Action taken/));
  await page.see(css('[contenteditable="true"]')); // the editor of the reasons comes later, above the button
  await page.click(byRole('combobox', 'Rule'));
  await page.type('No adv');
  await page.click(byRole('option', /^No advertising/));
  await page.see(css('[contenteditable="true"]', 'Your post advertises a product.'));
  await page.click(byRole('checkbox', 'Hide content'));
  await page.click(button('Resolve report'));
  await page.see(button('Send now')); // messages about earlier moves have an Undo of their own
  await page.click(button('Undo'));
  await page.see(byText('Undone. Nothing was sent.'));
  await page.click(button('Resolve'));
  await expectReport(id, { status: 'in_progress' });
  await page.fill(field('Explanation'), 'Advertising is not welcome.');
  await page.click(button('Resolve report'));
  await page.click(button('Send now'));
  await page.see(byText('Advertising is not welcome.'));
  await page.see(link('No advertising'));
  await expectReport(id, { status: 'done', resolution: 'action_taken' });

  await page.click(button('Reopen'));
  await page.fill(field(/Why is it reopened/), 'The author objected.');
  await page.click(button('Reopen', byRole('form', 'Reopen')));
  await page.see(byText('The author objected.'));
  await expectReport(id, { status: 'in_progress' });

  await page.click(button(/^Account and settings/));
  await page.click(byRole('menuitem', 'Sign out'));
  await page.gone(button(/^Account and settings/));
}, others);

everywhere('the keyboard alone does a report; a note is written rich, edited and deleted', async ({ open, post }) => {
  const id = await file('member3', { targetId: post.id });
  const { page } = await open('moderator');
  await page.goto('/modcp/reports');
  await page.see(css(`[data-row="${id}"]`));
  await page.press('j');
  await page.focused(css(`a[data-report="${id}"]`));
  await page.press('Enter');
  await page.see(byRole('heading', post.title));
  await page.press('c');
  await page.see(byText('In progress'));
  await page.press('n');
  await page.focused(field('Note'));
  await page.type('c and r are letters here');
  await page.press('Control+Enter');
  await page.see(css('ol p', 'c and r are letters here'));
  await page.press('Escape');
  await page.evaluate('document.activeElement.blur()');
  await page.press('r');
  await page.focused(byRole('radio', /^No violation/));
  await page.press(' ');
  await page.press('Control+Enter');
  await page.see(button('Send now'));
  await page.press('Tab');
  await page.press('Tab');
  await page.focused(button('Send now'));
  await page.press('Enter');
  await page.see(byText('No explanation given.'));
  await expectReport(id, { status: 'done', resolution: 'no_violation' });

  await page.fill(field('Note'), 'first words');
  await page.click(byText('Rich'));
  await page.fill(css('[contenteditable="true"]'), 'first words');
  await page.press('Control+a');
  await page.click(button('Bold'));
  await page.click(button('Add note'));
  await page.see(css('ol strong', 'first words'));
  await page.click(nth(button('Edit'), 0)); // the newest stands first
  await page.click(css('ol [contenteditable="true"]'));
  await page.press('Control+End');
  await page.type(' and more');
  await page.click(button('Save'));
  await page.see(css('ol strong', 'first words and more'));
  await page.clickFor(nth(button('Delete'), 0), byRole('dialog'));
  await page.click(button('Delete', byRole('dialog')));
  await page.see(byText('This note was deleted.'));
}, others);

// Firefox shares a feed among seven tabs, in `tabs.spec.ts`.
everywhere('tabs of a browser share a feed and hear of each other’s reports and of colleagues', async ({ open, post }) => {
  const id = await file('member6', { targetId: post.id });
  const { page: board, newTab } = await open('moderator');
  await board.goto('/modcp/reports');
  const report = await newTab();
  await report.goto(`/modcp/reports/${id}`);
  for (const page of [board, report]) await page.see(byText('Live'));
  const { page: colleague } = await open('admin');
  await colleague.goto(`/modcp/reports/${id}`);
  await report.see(byText('Ada Admin is looking too'));
  await colleague.click(button('Claim'));
  await report.see(byText(/Ada Admin took the report/));
  await board.see(css(`[data-row="${id}"][data-left="true"]`));
  await file('member7', { targetId: post.id });
  await board.see(button(/^1 new report/));
}, ['webkit']);
