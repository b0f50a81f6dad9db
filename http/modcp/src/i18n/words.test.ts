import { describe, expect, it } from 'vitest';
import { ar } from './ar';
import { en } from './en';
import { formatMessage, type Values } from './format';
import type { MessageKey } from './messages';

/** What the panel says of something, in both languages. */
const told: readonly (readonly [key: MessageKey, english: string, arabic: string, values?: Values])[] = [
  ['board.only.all', 'All reports', 'كل البلاغات'],
  ['board.hideMuted', 'Hide muted reporters', 'إخفاء المبلِّغين المكتومين'],
  ['board.anyType', 'All types', 'كل الأنواع'],
  ['board.column.onTarget', 'Open reports', 'بلاغات مفتوحة'],
  ['stats.waiting', 'Unassigned', 'بلا مسؤول'],
  ['board.empty', 'Nothing to review', 'لا شيء للمراجعة'],
  ['board.emptyFilteredHint', 'Remove a filter, or clear all.', 'أزل مرشِّحًا أو امسحها كلها.'],
  ['record.author', '3 earlier decisions, all led to action', '3 قرارات سابقة، أدّت كلها إلى إجراء', { decided: 3, upheld: 3, rest: 0 }],
  ['record.author', '3 earlier decisions, none led to action', '3 قرارات سابقة، أدّى منها إلى إجراء: 0', { decided: 3, upheld: 0, rest: 3 }],
  ['record.author', '1 earlier decision, without action', 'قرار سابق واحد بلا إجراء', { decided: 1, upheld: 0, rest: 1 }],
  ['record.author', '1 earlier decision, led to action', 'قرار سابق واحد أدّى إلى إجراء', { decided: 1, upheld: 1, rest: 0 }],
  ['record.line', '5 reports filed: 5 open, 0 confirmed, 0 rejected', '5 بلاغات: المفتوح 5، والمؤكَّد 0، والمرفوض 0', { filed: 5, open: 5, upheld: 0, notUpheld: 0, duplicate: 0 }],
  ['report.localeFallback', 'Arabic (no English version)', '\u2068Arabic\u2069 (لا تتوفر \u2068English\u2069)', { served: 'Arabic', requested: 'English' }],
  ['system.level.warning', 'Needs attention', 'يحتاج إلى انتباه'],
  ['staff.exists', 'This person is already listed.', 'هذا الشخص مضاف بالفعل.'],
  ['decisions.title', 'Decisions about me', 'القرارات التي تخصّني'],
  ['decision.version', '(v1)', '(النسخة 1)', { version: 1 }],
  ['error.forbidden', 'You don’t have permission to do this.', 'ليست لك صلاحية لذلك.'],
  ['report.actionDone.hide', 'Content hidden', 'أُخفي المحتوى'],
  ['appeal.uphold', 'Keep decision', 'إبقاء القرار'],
  ['appeal.overturn', 'Overturn decision', 'نقض القرار'],
  ['cases.decide', 'Apply to 4 reports', 'تطبيق على 4 بلاغات', { count: 4 }],
];

/** Words that had a better one, and second words for what has one already. */
const gone: Record<'en' | 'ar', readonly RegExp[]> = {
  en: [
    /\bpolic(y|ies)\b/i, /\btargets?\b/i, /\buphe?ld\b|\buphold\b|not upheld|\bgranted\b|decision stands|reversal/i, /\brights?\b(?! now)/i, /\banew\b/i,
    /^Make /, /^Every (type|reason|area)$/, /\bwaits (here|for you)\b/i, /announce themselves/i, /no longer fits/i, /Forgotten your|Look into/, /did not work$/, /Last Run/, /asked for /,
    /dealt with/, /^Decide \{/, /[“”\w]: done\./, /Not muted|muted people/,
  ],
  ar: [/تثبيت(?! ملاحظة)|ثُبّت/, /غير المكتومين$/, /لا شيء ينتظر/, /يعلن عن نفسه/, /الخطوة مناسبة|الإجراء مناسبًا/, /وغير الثابت|^ثابتة/, /: تم\.$/, /وعولج/, /^قرِّر/],
};

/** The letters of a message, without the names of its arguments. */
const letters = (message: string) => message.replace(/\{(\w+)(, (plural|number|select))?/g, '{');

describe('the words of the panel', () => {
  it.each(told.map(([key, english, arabic, values]) => ({ key, english, arabic, values })))('$key is “$english”', ({ key, english, arabic, values }) => {
    expect(formatMessage(en[key], 'en', values)).toBe(english);
    expect(formatMessage(ar[key], 'ar', values)).toBe(arabic);
  });

  it.each(['en', 'ar'] as const)('are one for each thing in %s', (locale) => {
    const found = Object.entries({ en, ar }[locale]).filter(([, message]) => gone[locale].some((old) => old.test(letters(message))));
    expect(found).toEqual([]);
  });
});
