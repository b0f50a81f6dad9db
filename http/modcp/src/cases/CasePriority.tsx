import { Tooltip } from '@mantine/core';
import type { Case } from '../api/cases';
import { useI18n } from '../i18n/I18n';
import { useNow } from '../ui/useNow';
import classes from './Cases.module.css';
import { usePriorityText } from './usePriorityText';

/** The priority as a number, with what it adds up from on hover and for screen readers. */
export function CasePriority({ of }: { of: Case }) {
  const { t, number } = useI18n();
  const text = usePriorityText();
  const now = useNow();
  const parts = of.priority.parts.map((part) => `${text(of, part, now)} ${number(part.points)}`).join(', ');
  return (
    <Tooltip label={parts} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
      <button type="button" className={classes.priority} aria-label={t('cases.priorityOf', { score: of.priority.score, parts })}>
        {number(of.priority.score)}
      </button>
    </Tooltip>
  );
}
