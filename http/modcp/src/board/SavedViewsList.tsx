import { ActionIcon, Button, Popover, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { listViews, removeView, saveView } from '../api/operations';
import { keys } from '../api/queryKeys';
import { useI18n } from '../i18n/I18n';
import { Icon } from '../ui/Icon';
import { useOpened, type MakeButton } from '../ui/WhenPressed';
import { writeFilters, type BoardFilters } from './filters';
import classes from './SavedViews.module.css';

/** Saved views: this moderator's own named filters. */
export function SavedViewsList({ button, filters }: { button: MakeButton; filters: BoardFilters }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const [opened, setOpened] = useOpened();
  const [name, setName] = useState('');
  const views = useQuery({ queryKey: keys.views, queryFn: ({ signal }) => listViews(signal), enabled: opened, staleTime: 60_000 });
  const refresh = () => client.invalidateQueries({ queryKey: keys.views });
  const save = useMutation({
    mutationFn: (view: string) => saveView({ name: view, query: writeFilters({ ...filters, cursor: '' }).toString() }),
    onSuccess: () => {
      setName('');
      return refresh();
    },
  });
  const remove = useMutation({ mutationFn: (view: string) => removeView(view), onSuccess: refresh });

  return (
    <Popover opened={opened} onChange={setOpened} width={290} trapFocus withinPortal={false} position="bottom-end">
      <Popover.Target>{button({ onClick: () => setOpened(!opened) })}</Popover.Target>
      <Popover.Dropdown p={8} aria-label={t('views.title')}>
        {views.data?.length === 0 && <p className={classes.none}>{t('views.none')}</p>}
        {views.data !== undefined && views.data.length > 0 && (
          <ul className="bare">
            {views.data.map((view) => (
              <li key={view.name} className={classes.view}>
                <Link to={{ pathname: '/modcp/reports', search: view.query }} className={classes.name} onClick={() => setOpened(false)}>
                  <bdi>{view.name}</bdi>
                </Link>
                <ActionIcon size="md" aria-label={t('views.delete', { name: view.name })} onClick={() => remove.mutate(view.name)}>
                  <Icon name="trash" size={15} />
                </ActionIcon>
              </li>
            ))}
          </ul>
        )}
        <form
          className={classes.form}
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim() !== '') save.mutate(name.trim());
          }}
        >
          <TextInput size="xs" label={t('views.name')} maxLength={60} value={name} onChange={(event) => setName(event.currentTarget.value)} />
          <Button size="xs" type="submit" disabled={name.trim() === ''} loading={save.isPending}>
            {t('action.save')}
          </Button>
        </form>
        <p className={classes.hint}>{t('views.hint')}</p>
      </Popover.Dropdown>
    </Popover>
  );
}
