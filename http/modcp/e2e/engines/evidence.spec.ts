import { file } from '../support/api';
import { sql } from '../support/sql';
import { everywhere } from './everywhere';
import { button, byText, css } from './screen';

const words = (shop: string, picture: string) => `<p>Cheap lamps in <a href="https://${shop}.example/lamps">this shop</a>.</p><p><img src="https://pictures.example/${picture}.png" alt="a lamp"></p>`;

everywhere('a link that leads elsewhere now and a picture that was exchanged are both named', async ({ open, post }) => {
  const write = (shop: string, picture: string) => sql(`UPDATE forum_posts SET body = '${words(shop, picture)}' WHERE id = ${Number(post.id)}`);
  write('honest', 'one');
  const id = await file('member7', { targetId: post.id });
  write('crooked', 'two');
  const { page } = await open('moderator');
  await page.goto(`/modcp/reports/${id}`);
  await page.see(byText('Changed since'));
  await page.see(css('bdi', 'honest.example/lamps'));
  await page.see(button('Load the picture, blurred'));
  await page.see(css('bdi', 'pictures.example/one.png'));
  await page.click(button('Compare with now'));
  await page.see(css('del', /honest/));
  await page.see(css('ins', /crooked/));
  await page.see(css('del', /one/));
  await page.see(css('ins', /two/));
});
