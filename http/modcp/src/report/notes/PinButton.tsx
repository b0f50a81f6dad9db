import { Button } from '@mantine/core';
import { useState } from 'react';
import { pinNote } from '../../api/reports';
import { useI18n } from '../../i18n/I18n';
import { Choices } from '../../ui/Choices';

/** A minute less than a year, the longest that the API takes: the request takes a moment, and clocks differ. */
const spans = { week: 7 * 86_400_000, month: 30 * 86_400_000, year: 365 * 86_400_000 - 60_000 } as const;

/** Pins a note of whoever wrote it, above the verdicts until a time. */
export function PinButton({ reportId, noteId, send }: { reportId: string; noteId: string; send: (what: () => Promise<unknown>) => void }) {
  const { t, date } = useI18n();
  const [asking, setAsking] = useState(false);
  const choices = () =>
    (['week', 'month', 'year'] as const).map((span) => {
      const until = new Date(Date.now() + spans[span]).toISOString();
      return {
        text: t(`aside.until.${span}`),
        aside: date(until),
        run: () => {
          setAsking(false);
          send(() => pinNote(reportId, noteId, until));
        },
      };
    });
  return (
    <>
      <Button size="compact-xs" variant="subtle" onClick={() => setAsking(true)}>
        {t('notes.pin')}
      </Button>
      {asking && <Choices title={t('notes.pin')} hint={t('notes.pinHint')} choices={choices()} close={() => setAsking(false)} />}
    </>
  );
}
