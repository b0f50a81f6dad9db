import { diffWordsWithSpace } from 'diff';

/** A run of words that stayed, went or came. */
export interface Change {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** Beyond this many characters a word-level comparison would hold the browser up. */
const limit = 60_000;
/** The share of the shorter text's letters that both must have in common to be read as one text. */
const kinship = 0.25;

/**
 * What became of a text, word by word. Where little more than spaces stands between
 * two changes they are one, and texts with next to nothing in common are one removed
 * and one added: both read as sentences and not as crumbs.
 */
export function wordDifference(before: string, after: string, locale: string): Change[] {
  const replaced: Change[] = [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ];
  const whole = replaced.filter((change) => change.text !== '');
  if (before.length + after.length > limit) return whole;
  const parts = diffWordsWithSpace(before, after, { intlSegmenter: new Intl.Segmenter(locale, { granularity: 'word' }) });
  const shared = parts.reduce((sum, part) => (part.added === true || part.removed === true ? sum : sum + letters(part.value)), 0);
  if (shared < kinship * Math.min(letters(before), letters(after))) return whole;

  const changes: Change[] = [];
  let removed = '';
  let added = '';
  const flush = () => {
    if (removed !== '') changes.push({ kind: 'removed', text: removed });
    if (added !== '') changes.push({ kind: 'added', text: added });
    removed = added = '';
  };
  parts.forEach((part, index) => {
    if (part.removed === true) removed += part.value;
    else if (part.added === true) added += part.value;
    else if (removed + added !== '' && index < parts.length - 1 && letters(part.value) === 0) {
      removed += part.value;
      added += part.value;
    } else {
      flush();
      changes.push({ kind: 'same', text: part.value });
    }
  });
  flush();
  return changes;
}

const letters = (text: string) => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
