import { Button, CloseButton, Select, TextInput } from '@mantine/core';
import type { ContentAuthor, MeasureKind } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { timed, type LineFault, type MeasureLine } from './measureDraft';
import classes from './MeasureFields.module.css';

const lengths = [1, 3, 7, 14, 30, 90, 365];

interface Props {
  line: MeasureLine;
  fault: LineFault | null;
  /** Whom it may be imposed on; null where that is given. */
  authors: readonly ContentAuthor[] | null;
  kinds: readonly MeasureKind[];
  onChange: (line: MeasureLine) => void;
  remove: (() => void) | null;
  /** Makes it what the ladder proposes again. */
  back?: () => void;
}

/** One measure: on whom, which, and for how long. */
export function LineEditor({ line, fault, authors, kinds, onChange, remove, back }: Props) {
  const { t } = useI18n();
  const { authorId, kind, days, date } = line;
  const length = date !== undefined ? 'date' : days === null ? 'none' : String(days);
  const offered = [...new Set([...lengths, ...(days === null ? [] : [days])])].toSorted((a, b) => a - b);
  const setLength = (next: string | null) => {
    if (next === 'date') onChange({ authorId, kind, days, date: '' });
    else if (next !== null) onChange({ authorId, kind, days: next === 'none' ? null : Number(next) });
  };
  return (
    <div className={classes.line} role="group" aria-label={t('measure.one')}>
      {authors !== null && authors.length > 1 && (
        <Select
          className={classes.author}
          label={t('measure.author')}
          value={authorId}
          data={authors.map(({ id, name }) => ({ value: id, label: name === null || name === '' ? t('state.deletedAccount') : name }))}
          onChange={(next) => next !== null && onChange({ authorId: next, kind, days, ...(date === undefined ? {} : { date }) })}
        />
      )}
      <Select
        label={t('measure.kind')}
        value={kind}
        data={kinds.map((one) => ({ value: one, label: t(`measure.${one}`) }))}
        error={fault === 'twice' ? t('measure.twice') : undefined}
        onChange={(next) => next !== null && onChange({ authorId, kind: next as MeasureKind, days, ...(date === undefined ? {} : { date }) })}
      />
      {timed(kind) && (
        <Select
          label={t('measure.length')}
          value={length}
          data={[...offered.map((count) => ({ value: String(count), label: t('measure.days', { days: count }) })), { value: 'date', label: t('measure.untilDate') }, { value: 'none', label: t('measure.noEnd') }]}
          onChange={setLength}
        />
      )}
      {timed(kind) && date !== undefined && (
        <TextInput className={classes.day} type="date" label={t('measure.lastDay')} value={date} error={fault === 'date' ? t('measure.dateFault') : undefined} onChange={(event) => onChange({ authorId, kind, days, date: event.currentTarget.value })} />
      )}
      {remove !== null && <CloseButton className={classes.remove} aria-label={t('measure.remove')} onClick={remove} />}
      {back !== undefined && (
        <Button className={classes.back} size="compact-xs" variant="subtle" onClick={back}>
          {t('measure.asProposed')}
        </Button>
      )}
    </div>
  );
}
