import { Button } from '@mantine/core';
import { lazy } from 'react';
import { useI18n } from '../i18n/I18n';
import { Icon } from '../ui/Icon';
import { WhenPressed } from '../ui/WhenPressed';
import classes from './Board.module.css';
import type { BoardFilters } from './filters';

const SavedViewsList = lazy(() => import('./SavedViewsList').then((m) => ({ default: m.SavedViewsList })));

export function SavedViews({ filters }: { filters: BoardFilters }) {
  const { t } = useI18n();
  return (
    <WhenPressed
      opens="dialog"
      button={(props) => (
        <Button className={classes.brief} variant="default" leftSection={<Icon name="bookmark" size={16} />} rightSection={<Icon name="chevronDown" size={14} />} {...props}>
          {t('views.title')}
        </Button>
      )}
    >
      {(button) => <SavedViewsList button={button} filters={filters} />}
    </WhenPressed>
  );
}
