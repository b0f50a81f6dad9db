import type { Policy } from '../../api/policies';
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
}

export type PolicyFault = 'key' | 'title' | 'text' | 'template' | 'strikes' | 'strikeDays';

export const strikeLimits = { strikes: { min: 0, max: 10 }, strikeDays: { min: 1, max: 3650 } } as const;

const keyForm = /^[a-z0-9][a-z0-9-]{0,63}$/;

const empty = asDocument('');

export const blank: PolicyForm = { key: '', title: '', text: empty, template: empty, strikes: 0, strikeDays: 365, reportable: false };

const asRich = (body: RichTextNode | string | null): RichTextNode => (body === null ? empty : typeof body === 'string' ? asDocument(body) : body);

export const formOf = ({ key, title, text, template, strikes, strikeDays, reportable }: Policy): PolicyForm => ({ key, title, text: asRich(text), template: asRich(template), strikes, strikeDays, reportable });

export const bodyWords = (body: RichTextNode | string | null): string => (body === null ? '' : typeof body === 'string' ? body : words(body));

/** Returns what keeps a form from being published. */
export function faultsOf({ key, title, text, template, reportable: _, ...numbers }: PolicyForm): Set<PolicyFault> {
  const faults = new Set<PolicyFault>();
  if (!keyForm.test(key)) faults.add('key');
  if (length(title) < 1 || length(title) > policyTitleLimit) faults.add('title');
  const clean = toApiDocument(text);
  if (words(clean) === '' || compactBytes(clean) > richNoteBytes) faults.add('text');
  if (compactBytes(toApiDocument(template)) > richNoteBytes) faults.add('template');
  for (const name of ['strikes', 'strikeDays'] as const) {
    const value = numbers[name];
    if (!Number.isInteger(value) || Number(value) < strikeLimits[name].min || Number(value) > strikeLimits[name].max) faults.add(name);
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
export function toPublish({ key, title, text, template, strikes, strikeDays, reportable }: PolicyForm) {
  return {
    key,
    title: title.trim(),
    text: toApiDocument(text),
    ...(words(template) === '' ? {} : { template: toApiDocument(template) }),
    strikes: Number(strikes),
    strikeDays: Number(strikeDays),
    reportable,
  };
}
