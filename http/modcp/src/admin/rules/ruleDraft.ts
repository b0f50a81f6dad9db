import type { Rule, Then } from '../../api/rules';
import { length, policyTitleLimit } from '../../ui/limits';

/** A rule while it is written; numbers and tags as they are typed. */
export interface RuleForm {
  key: string;
  title: string;
  when: string;
  points: number | string;
  due: string;
  tags: string;
  hide: boolean;
}

export type RuleFault = 'key' | 'title' | 'points' | 'due' | 'tags' | 'then';

export const pointLimits = { min: -50, max: 100 } as const;
const maxTags = 5;

export const blankRule: RuleForm = { key: '', title: '', when: '', points: '', due: '', tags: '', hide: false };

export const formOfRule = ({ key, title, when, then: { points = 0, due = '', tags = [], hide = false } }: Rule): RuleForm => ({
  key, title, when, points: points === 0 ? '' : points, due, tags: tags.join(' '), hide,
});

const tagsOf = (text: string) => text.split(/[\s,]+/).filter((tag) => tag !== '');

/** What a form does. */
export function thenOf({ points, due, tags, hide }: RuleForm): Then {
  const list = tagsOf(tags);
  return {
    ...(points === '' || points === 0 ? {} : { points: Number(points) }),
    ...(due.trim() === '' ? {} : { due: due.trim() }),
    ...(list.length === 0 ? {} : { tags: list }),
    ...(hide ? { hide } : {}),
  };
}

/** Returns what keeps a form from being published, beside its condition. */
export function ruleFaults(form: RuleForm): Set<RuleFault> {
  const faults = new Set<RuleFault>();
  if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(form.key)) faults.add('key');
  if (length(form.title) < 1 || length(form.title) > policyTitleLimit) faults.add('title');
  const points = Number(form.points);
  if (!Number.isInteger(points) || points < pointLimits.min || points > pointLimits.max) faults.add('points');
  if (form.due.trim() !== '' && !/^(?:\d+(?:\.\d+)?[hms])+$/.test(form.due.trim())) faults.add('due');
  const tags = tagsOf(form.tags);
  if (tags.length > maxTags || tags.some((tag) => !/^[a-z0-9-]{1,32}$/.test(tag))) faults.add('tags');
  if (Object.keys(thenOf(form)).length === 0) faults.add('then');
  return faults;
}
