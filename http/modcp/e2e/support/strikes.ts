import { apiAs, core, file, newMember, type ForumItem } from './api';
import { sql } from './sql';

/** A rule whose decisions give two strikes, for which the ladder proposes a suspension for a week. */
export async function strikingRule(): Promise<{ key: string; version: number; title: string }> {
  const api = await apiAs('admin');
  const title = 'No flooding';
  const answer = await api.post(`${core()}/admin/policies`, { data: { key: 'flooding', title, text: 'Do not post the same thing again and again.', template: 'You posted the same thing again and again.', strikes: 2, strikeDays: 365 } });
  const { version } = (await answer.json()) as { version: number };
  await api.put(`${core()}/admin/ladder`, { data: { steps: [{ strikes: 1, kind: 'warn' }, { strikes: 2, kind: 'suspend', days: 7 }, { strikes: 6, kind: 'terminate' }] } });
  await api.dispose();
  return { key: 'flooding', version, title };
}

/** A member of whom nothing was reported yet: strikes of one who writes for other tests would count there. */
export interface Author {
  /** The name to sign in with. */
  name: string;
  id: string;
}

const idOf = (name: string) => sql(`SELECT id FROM core_users WHERE email = '${name}@demo.test'`);

export function newAuthor(): Author {
  const name = newMember();
  return { name, id: idOf(name) };
}

/** The author of the screens, made where there is none yet. */
export function screenAuthor(): Author {
  sql(`INSERT INTO core_users (id, email, name, password_hash, demo, created_at)
    SELECT gen_random_uuid(), 'author@demo.test', 'Noor Author', password_hash, demo, now() FROM core_users
    WHERE email = 'member1@demo.test' AND NOT EXISTS (SELECT FROM core_users WHERE email = 'author@demo.test')`);
  return { name: 'author', id: idOf('author') };
}

/** A post of the author. */
export function postBy({ id }: Author, title = 'Once more'): ForumItem {
  const post = sql(`INSERT INTO forum_posts (topic_id, category_id, author_id, title, body, locale, updated_at, published_at)
    SELECT topic_id, category_id, '${id}', '${title}', '<p>The same thing, again and again.</p>', locale, now(), now() FROM forum_posts ORDER BY id LIMIT 1 RETURNING id`);
  return { id: post, title };
}

/** Until when the forum itself holds the author suspended: a time, `infinity`, or nothing. */
export const suspendedUntil = ({ id }: Author) => sql(`SELECT suspended_until FROM forum_members WHERE user_id = '${id}'`);

/** A decision by the rule on a post of the author, with its measures. */
export async function decideAgainst(author: Author, measures: { kind: string; until?: string }[], title?: string): Promise<string> {
  const { key, version } = await strikingRule();
  const post = postBy(author, title);
  const id = await file('member3', { targetId: post.id });
  const api = await apiAs('moderator');
  const answer = await api.post(`${core()}/moderation/cases/decide`, {
    data: {
      target: { pluginId: 'forum', type: 'forum.post', id: post.id },
      reports: [{ id, expectedVersion: 1 }],
      action: 'hide',
      resolve: { resolution: 'action_taken', policy: { key, version }, reasons: 'You posted it six times.', measures: measures.map((measure) => ({ authorId: author.id, ...measure })) },
    },
  });
  if (!answer.ok()) throw new Error(`deciding: ${answer.status()} ${await answer.text()}`);
  await api.dispose();
  return id;
}

export const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
