import type { Case, PriorityPart } from '../api/cases';
import { reasons, type Reason } from '../api/types';
import { formatDuration, humanise } from '../i18n/format';
import { useI18n } from '../i18n/I18n';

/** The gravest reason is the one that its points tell of: the first of this order that the case has. */
const bySeverity: readonly Reason[] = ['abusive', 'rule_violation', 'spam', 'other'];

/** Says what a part of a case's priority is about, such as “5 reporters”. */
export function usePriorityText(): (of: Case, part: PriorityPart, now: number) => string {
  const { t, locale } = useI18n();
  return (of, part, now) => {
    switch (part.name) {
      case 'reason': {
        const gravest = bySeverity.find((reason) => (of.reasons[reason] ?? 0) > 0) ?? reasons[0]!;
        return t(`reason.${gravest}`);
      }
      case 'reporters':
        return t('cases.reporters', { count: of.reporters });
      case 'trusted':
        return t('cases.part.trusted');
      case 'records':
        return t('cases.part.records');
      case 'target':
        return t('cases.part.target');
      case 'author':
        return t('cases.part.author');
      case 'rules':
        return t('cases.part.rules', { rules: (part.rules ?? []).join(', ') });
      case 'waiting':
        return t('cases.part.waiting', { time: formatDuration(Math.max(0, (now - Date.parse(of.firstAt)) / 1000), locale.id) });
      default:
        return humanise(part.name);
    }
  };
}
