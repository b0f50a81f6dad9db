import type { ForumContent, ForumKind } from '../api/forum';
import { isRichText, words } from '../richtext/document';

export const targetTypes: Record<ForumKind, string> = { topics: 'forum.topic', posts: 'forum.post', profiles: 'forum.profile' };

export function isForumKind(value: string | undefined): value is ForumKind {
  return value === 'topics' || value === 'posts' || value === 'profiles';
}

function first(content: ForumContent, names: readonly string[]): unknown {
  const fields = typeof content.fields === 'object' && content.fields !== null ? (content.fields as Record<string, unknown>) : {};
  for (const name of names) {
    const value = content[name] ?? fields[name];
    if (value !== undefined && value !== null && value !== '') return value;
  }
  return undefined;
}

export function titleOf(content: ForumContent): string {
  const value = first(content, ['title', 'name', 'displayName']);
  return typeof value === 'string' ? value : '';
}

export const bodyOf = (content: ForumContent): unknown => first(content, ['body', 'text', 'bio', 'about', 'content']);

export function wordsOf(content: ForumContent): string {
  const body = bodyOf(content);
  if (typeof body === 'string') return body;
  return isRichText(body) ? words(body) : '';
}

export function authorOf(content: ForumContent): string {
  const value = first(content, ['author', 'authors', 'authorName']);
  const one = Array.isArray(value) ? value[0] : value;
  if (typeof one === 'string') return one;
  return typeof one === 'object' && one !== null && typeof (one as { name?: unknown }).name === 'string' ? (one as { name: string }).name : '';
}
