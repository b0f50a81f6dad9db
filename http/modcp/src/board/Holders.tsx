import { SegmentedControl } from '@mantine/core';
import type { Counts } from '../api/types';
import { useI18n } from '../i18n/I18n';
import type { BoardFilters } from './filters';
import classes from './Holders.module.css';

/** Whose reports are listed: anyone's, one's own, or nobody's. */
export function Holders({ filters, change, counts }: { filters: BoardFilters; change: (change: Partial<BoardFilters>) => void; counts: Counts | undefined }) {
  const { t, number } = useI18n();
  const who = ['', 'me', 'none'].includes(filters.assigned) ? filters.assigned : 'other';
  const counted = (text: string, count: number | undefined) => (count === undefined ? text : `${text} ${number(count)}`);
  return (
    <SegmentedControl
      className={classes.holders}
      size="xs"
      aria-label={t('board.assignee')}
      value={who}
      onChange={(value) => {
        if (value !== 'other') change({ assigned: value });
      }}
      data={[
        { value: '', label: t('board.anyone') },
        { value: 'me', label: counted(t('board.mine'), counts?.mine) },
        { value: 'none', label: counted(t('board.unassigned'), counts?.unassigned) },
        ...(who === 'other' ? [{ value: 'other', label: t('board.assigned') }] : []),
      ]}
    />
  );
}
