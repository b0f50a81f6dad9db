import type { RuleCheck } from '../../api/backtests';
import type { Completion } from '../shared/useCompletion';

const text = ['contains("")', 'endsWith("")', 'matches("")', 'size()', 'startsWith("")'];
const list = ['all(x, )', 'exists(x, )', 'exists_one(x, )', 'filter(x, )', 'map(x, )', 'size()'];
const map = ['all(k, )', 'exists(k, )', 'size()'];
const words = ['false', 'has()', 'in', 'size()', 'true'];

/** What CEL can do with a value of a type; with one that is not known, all of it. */
function methodsOf(type: string | undefined): string[] {
  if (type === undefined) return [...new Set([...text, ...list, 'orValue()'])].sort();
  return type === 'string' ? text : type.startsWith('list') ? list : type.startsWith('map') ? map : [];
}

/** Reports whether the end of a text is in a string or a comment. */
function isQuoted(before: string): boolean {
  let quote = '';
  for (let i = 0; i < before.length; i++) {
    const sign = before[i]!;
    if (quote === '//') {
      if (sign === '\n') quote = '';
    } else if (quote !== '') {
      if (sign === '\\') i++;
      else if (sign === quote) quote = '';
    } else if (sign === '"' || sign === "'") quote = sign;
    else if (before.startsWith('//', i)) quote = '//';
  }
  return quote !== '';
}

/** What can follow what is written up to the caret: facts by their names, and what CEL can do with them. */
export function completionsOf(facts: RuleCheck['facts']) {
  return (before: string): Completion[] => {
    if (isQuoted(before)) return [];
    const [word] = /(?:\p{L}[\w.]*|(?<=[\])])\.\w*)$/u.exec(before) ?? [''];
    if (word === '') return [];
    const start = before.length - word.length;
    const named = facts.filter(({ name }) => name.startsWith(word) && name !== word).map(({ name, type }) => ({ from: start, text: name, detail: type }));
    const dot = word.lastIndexOf('.');
    if (dot < 0) return [...named, ...words.filter((one) => one.startsWith(word) && one !== word).map((one) => ({ from: start, text: one, detail: 'CEL' }))];
    const owner = word.slice(0, dot);
    const known = facts.find(({ name }) => name === owner)?.type;
    // reporter. has facts, and nothing else.
    if (known === undefined && facts.some(({ name }) => name.startsWith(`${owner}.`))) return named;
    const part = word.slice(dot + 1);
    return [...named, ...methodsOf(known).filter((one) => one.startsWith(part) && one !== part).map((one) => ({ from: start + dot + 1, text: one, detail: 'CEL' }))];
  };
}
