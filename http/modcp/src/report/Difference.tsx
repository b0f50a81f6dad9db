import { diffWordsWithSpace } from 'diff';
import { useMemo } from 'react';
import type { SnapshotField } from '../api/types';
import { useI18n } from '../i18n/I18n';
import classes from './Difference.module.css';
import { FieldName } from './SnapshotFieldView';

/** Beyond this many characters a word-level comparison would hold the browser up. */
const limit = 60_000;

export function Difference({ field, before, after }: { field: SnapshotField; before: string; after: string }) {
  const { t, locale } = useI18n();
  const parts = useMemo(() => {
    if (before.length + after.length > limit) return [{ removed: true, added: false, value: before }, { removed: false, added: true, value: after }];
    return diffWordsWithSpace(before, after, { intlSegmenter: new Intl.Segmenter(locale.id, { granularity: 'word' }) });
  }, [after, before, locale.id]);
  return (
    <section>
      <FieldName field={field} />
      <p className={classes.text} dir="auto">
        {parts.map((part, index) =>
          part.removed === true ? (
            <del key={index}>
              <span className="visually-hidden">{t('report.removed')} </span>
              {part.value}
            </del>
          ) : part.added === true ? (
            <ins key={index}>
              <span className="visually-hidden">{t('report.added')} </span>
              {part.value}
            </ins>
          ) : (
            <span key={index}>{part.value}</span>
          ),
        )}
      </p>
    </section>
  );
}
