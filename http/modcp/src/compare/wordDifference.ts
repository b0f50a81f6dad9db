import { diffWordsWithSpace } from 'diff';

/** A run of words that stayed, went or came. */
export interface Change {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** Above this many characters a comparison by words would block the browser. */
const limit = 60_000;
/** The share of the shorter text's letters that both must have in common to be compared by words. */
const minShared = 0.25;

/**
 * Compares two texts word by word. Changes with only spaces or punctuation between them
 * are merged, and texts with almost nothing in common are one removed and one added, so
 * that changes read as sentences.
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
  if (shared < minShared * Math.min(letters(before), letters(after))) return whole;

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
