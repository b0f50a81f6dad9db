import type { Policy } from '../../api/policies';
import type { StatementBasis } from '../../api/statements';
import type { RichTextNode } from '../../api/types';
import { asDocument, compactBytes, toApiDocument, words } from '../../richtext/document';
import { length, policyTitleLimit, richNoteBytes } from '../../ui/limits';

/** A policy while it is written. */
export interface PolicyForm {
  key: string;
  title: string;
  text: RichTextNode;
  template: RichTextNode;
  strikes: number | '';
  strikeDays: number | '';
  reportable: boolean;
  secondKey: boolean;
  /** What it says to the EU's transparency database. */
  statement: StatementBasis | null;
}

export type PolicyFault = 'key' | 'title' | 'text' | 'template' | 'strikes' | 'strikeDays' | 'law' | 'category';

export const strikeLimits = { strikes: { min: 0, max: 10 }, strikeDays: { min: 1, max: 3650 } } as const;

/** Characters that the name of a law may have. */
const lawLimit = 500;

const keyForm = /^[a-z0-9][a-z0-9-]{0,63}$/;

const empty = asDocument('');

export const blank: PolicyForm = { key: '', title: '', text: empty, template: empty, strikes: 0, strikeDays: 365, reportable: false, secondKey: false, statement: null };

const asRich = (body: RichTextNode | string | null): RichTextNode => (body === null ? empty : typeof body === 'string' ? asDocument(body) : body);

export const formOf = ({ key, title, text, template, strikes, strikeDays, reportable, secondKey, statement }: Policy): PolicyForm => ({ key, title, text: asRich(text), template: asRich(template), strikes, strikeDays, reportable, secondKey, statement });

export const bodyWords = (body: RichTextNode | string | null): string => (body === null ? '' : typeof body === 'string' ? body : words(body));

/** Returns what keeps a form from being published. */
export function faultsOf({ key, title, text, template, statement, strikes, strikeDays }: PolicyForm): Set<PolicyFault> {
  const faults = new Set<PolicyFault>();
  if (!keyForm.test(key)) faults.add('key');
  if (length(title) < 1 || length(title) > policyTitleLimit) faults.add('title');
  const clean = toApiDocument(text);
  if (words(clean) === '' || compactBytes(clean) > richNoteBytes) faults.add('text');
  if (compactBytes(toApiDocument(template)) > richNoteBytes) faults.add('template');
  for (const [name, value] of [['strikes', strikes], ['strikeDays', strikeDays]] as const) {
    if (!Number.isInteger(value) || Number(value) < strikeLimits[name].min || Number(value) > strikeLimits[name].max) faults.add(name);
  }
  if (statement !== null) {
    const law = length(statement.law ?? '');
    if (law > lawLimit || (statement.ground === 'illegal' && law === 0)) faults.add('law');
    if (statement.category === '') faults.add('category');
  }
  return faults;
}

/** Suggests a key for a title; empty for a title without Latin letters and digits. */
export function keyFor(title: string): string {
  return title
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64)
    .replace(/-+$/, '');
}

/** The body of the request that publishes a form. */
export function toPublish({ key, title, text, template, strikes, strikeDays, reportable, secondKey, statement }: PolicyForm) {
  return {
    key,
    title: title.trim(),
    text: toApiDocument(text),
    ...(words(template) === '' ? {} : { template: toApiDocument(template) }),
    strikes: Number(strikes),
    strikeDays: Number(strikeDays),
    reportable,
    secondKey,
    statement: statement === null ? null : toBasis(statement),
  };
}

const toBasis = ({ ground, law, category, keywords }: StatementBasis): StatementBasis => ({
  ground,
  ...(ground === 'illegal' ? { law: (law ?? '').trim() } : {}),
  category,
  ...(keywords === undefined || keywords.length === 0 ? {} : { keywords }),
});
