import { Button } from '@mantine/core';
import type { PageInfo } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { Icon } from '../ui/Icon';
import type { BoardFilters } from './filters';
import classes from './Pager.module.css';

/** Links to the previous and the next page; renders nothing for a single page. */
export function Pager({ info, change, shown }: { info: PageInfo; change: (change: Partial<BoardFilters>) => void; shown: number }) {
  const { t } = useI18n();
  if (!info.hasPreviousPage && !info.hasNextPage) return null;
  const go = (cursor: string | null, direction: 'after' | 'before') => {
    change({ cursor: cursor ?? '', direction });
    window.scrollTo(0, 0);
  };
  return (
    <nav className={classes.pager} aria-label={t('page.pages')}>
      <Button
        variant="default"
        size="compact-md"
        leftSection={<Icon name="chevronLeft" size={15} />}
        disabled={!info.hasPreviousPage}
        onClick={() => go(info.startCursor, 'before')}
      >
        {t('page.newer')}
      </Button>
      <span className={classes.shown}>{t('page.shown', { count: shown })}</span>
      <Button
        variant="default"
        size="compact-md"
        rightSection={<Icon name="chevronRight" size={15} />}
        disabled={!info.hasNextPage}
        onClick={() => go(info.endCursor, 'after')}
      >
        {t('page.older')}
      </Button>
    </nav>
  );
}
