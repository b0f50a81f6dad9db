import { useMemo } from 'react';
import { useI18n } from '../i18n/I18n';
import classes from './TextDifference.module.css';
import { wordDifference } from './wordDifference';

/** How much of a long run of words is shown at each of its ends. */
const context = 60;

/** The ends of a long run, cut between words. */
const shortened = (text: string) => (text.length > 3 * context ? `${text.slice(0, context).replace(/(?<=\s)\S*$/u, '')}… ${text.slice(-context).replace(/^\S*(?=\s)/u, '').trimStart()}` : text);

/** Two texts as one, with removed and added words marked; in brief, with the ends of long runs alone. */
export function TextDifference({ before, after, brief = false }: { before: string; after: string; brief?: boolean }) {
  const { t, locale } = useI18n();
  const changes = useMemo(() => wordDifference(before, after, locale.id), [after, before, locale.id]);
  return (
    <div className={classes.text} dir="auto" data-replaced={changes.every((change) => change.kind !== 'same') || undefined}>
      {changes.map(({ kind, text: run }, index) => {
        const text = brief ? shortened(run) : run;
        return kind === 'removed' ? (
          <del key={index}>
            <span className="visually-hidden" dir={locale.dir}>{t('report.removed')} </span>
            {text}
          </del>
        ) : kind === 'added' ? (
          <ins key={index}>
            <span className="visually-hidden" dir={locale.dir}>{t('report.added')} </span>
            {text}
          </ins>
        ) : (
          <span key={index}>{text}</span>
        );
      })}
    </div>
  );
}
