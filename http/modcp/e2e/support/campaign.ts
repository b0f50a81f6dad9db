import { apiAs, core, file } from './api';
import { sql } from './sql';
import { expect } from './test';

/** A text whose pairs of words no other campaign has. */
const offer = (name: string, word: string) =>
  `Buy ten thousand real followers today for only ${word} dollars and watch your page grow. Our team delivers within an hour, no password needed, and your money back if you are not happy.`.replaceAll(/(\S+ \S+) /g, `$1 ${name} `);

/** Files reports on near copies of one text, each of a post of its own with the link, and waits until they are found as look-alikes of the first. */
export async function campaign(name: string, words: readonly string[], link = `https://${name}.example/offer`): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, word] of words.entries()) {
    const post = sql(`INSERT INTO forum_posts (topic_id, category_id, author_id, title, body, locale, updated_at, published_at)
      SELECT topic_id, category_id, author_id, 'Offer ${index + 1} of ${name}', '<p>${offer(name, word)} <a href="${link}">Here it is</a></p>', locale, now(), now()
      FROM forum_posts ORDER BY id LIMIT 1 RETURNING id`);
    ids.push(await file('member5', { targetId: post }));
  }
  const moderator = await apiAs('moderator');
  await expect
    .poll(async () => ((await (await moderator.get(`${core()}/moderation/reports/${ids[0]}/similar?link=any`)).json()) as { edges: unknown[] }).edges.length)
    .toBe(words.length - 1);
  return ids;
}
