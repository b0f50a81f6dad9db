import { useMemo } from 'react';
import { useI18n } from '../i18n/I18n';
import classes from './TextDifference.module.css';
import { wordDifference } from './wordDifference';

/** Two texts as one, with removed and added words marked. */
export function TextDifference({ before, after }: { before: string; after: string }) {
  const { t, locale } = useI18n();
  const changes = useMemo(() => wordDifference(before, after, locale.id), [after, before, locale.id]);
  return (
    <div className={classes.text} dir="auto" data-replaced={changes.every((change) => change.kind !== 'same') || undefined}>
      {changes.map(({ kind, text }, index) =>
        kind === 'removed' ? (
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
        ),
      )}
    </div>
  );
}
