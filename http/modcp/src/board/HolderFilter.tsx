import { useI18n } from '../i18n/I18n';
import { Segments } from '../ui/Segments';
import type { BoardFilters } from './filters';
import classes from './HolderFilter.module.css';

/** Whose reports are listed: anyone's, one's own, or nobody's. */
export function HolderFilter({ filters, change }: { filters: BoardFilters; change: (change: Partial<BoardFilters>) => void }) {
  const { t } = useI18n();
  const who = ['', 'me', 'none'].includes(filters.assigned) ? filters.assigned : 'other';
  return (
    <Segments
      className={classes.holders}
      size="xs"
      aria-label={t('board.assignee')}
      value={who}
      onChange={(value) => {
        if (value !== 'other') change({ assigned: value });
      }}
      data={[
        { value: '', label: t('board.anyone') },
        { value: 'me', label: t('board.mine') },
        { value: 'none', label: t('board.unassigned') },
        ...(who === 'other' ? [{ value: 'other', label: t('board.assigned') }] : []),
      ]}
    />
  );
}
