import { expectReport, file } from '../support/api';
import { everywhere, others } from './everywhere';
import { byRole, byText, css } from './screen';

everywhere('the keyboard alone takes the next case, hides its content, decides all of its reports and asks for the next', async ({ open, post }) => {
  const ids = [await file('member1', { targetId: post.id, reason: 'abusive' }), await file('member2', { targetId: post.id, reason: 'abusive' })];
  const { page } = await open('moderator');
  await page.goto(`/modcp/cases?target=${post.id}`);
  await page.see(byText(post.title));
  await page.press('g');
  await page.press('n');
  await page.see(byRole('heading', post.title));
  await page.see(css('[data-verdict="1"]'));
  for (const id of ids) await expectReport(id, { status: 'in_progress' });
  await page.press('h');
  await page.press('r');
  await page.focused(byRole('radio', /^No violation/));
  await page.press('ArrowDown');
  await page.press(' ');
  await page.press('Control+Enter');
  await page.see(byText(/^2 reports decided/));
  for (const id of ids) await expectReport(id, { status: 'done', resolution: 'action_taken' });
  await page.press('g');
  await page.press('n');
  await page.see(byText('Nothing to review here.'));
}, others);
