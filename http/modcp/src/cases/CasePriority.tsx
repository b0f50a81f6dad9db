import type { Case } from '../api/cases';
import { useI18n } from '../i18n/I18n';
import { useNow } from '../ui/useNow';
import classes from './Cases.module.css';
import { usePriorityText } from './usePriorityText';

/** The priority as a number; screen readers hear what it adds up from. */
export function CasePriority({ of }: { of: Case }) {
  const { t, number } = useI18n();
  const parts = useParts(of)
    .map(({ text, points }) => `${text} ${number(points)}`)
    .join(', ');
  return (
    <span className={classes.priority}>
      <span aria-hidden="true">{number(of.priority.score)}</span>
      <span className="visually-hidden">{t('cases.priorityOf', { score: of.priority.score, parts })}</span>
    </span>
  );
}

/** Why a case has its priority: each part with its points. */
export function PriorityParts({ of }: { of: Case }) {
  const { number } = useI18n();
  return (
    <span className={classes.parts} aria-hidden="true">
      {useParts(of).map(({ name, text, points }) => (
        <span key={name} className={classes.part}>
          {text}{' '}
          <b dir="ltr">
            {points > 0 && '+'}
            {number(points)}
          </b>
        </span>
      ))}
    </span>
  );
}

function useParts(of: Case) {
  const text = usePriorityText();
  const now = useNow();
  return of.priority.parts.map((part) => ({ name: part.name, text: text(of, part, now), points: part.points }));
}
