import { Button, Checkbox, CloseButton, Input, NativeSelect, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { memo, useEffect, useState, type RefObject } from 'react';
import { reasons } from '../api/types';
import { useI18n } from '../i18n/I18n';
import { Icon } from '../ui/Icon';
import { activeFilterCount, defaultFilters, isNarrowed, onlys, sorts, timeSpans, type BoardFilters } from './filters';
import classes from './FilterBar.module.css';
import { useScopeFamilies, useTargetTypes } from './useTargetTypes';

type Change = (change: Partial<BoardFilters>, replace?: boolean) => void;

const typingPause = 300;

interface Props {
  filters: BoardFilters;
  change: Change;
  searchRef: RefObject<HTMLInputElement | null>;
  /** False where the list itself offers to clear them. */
  clearable: boolean;
  /** False where the list has an order of its own. */
  ordered?: boolean;
}

export const FilterBar = memo(function FilterBar({ filters, change, searchRef, clearable, ordered = true }: Props) {
  const { t, label } = useI18n();
  const [opened, setOpened] = useState(false);
  // On a phone the styles show these fields when they are opened; before that they would hold up the first rows.
  const narrow = useMediaQuery('(max-width: 760px)', false, { getInitialValueInEffect: false });
  const types = useTargetTypes().data?.items ?? [];
  const families = useScopeFamilies().data ?? [];
  const scopes = families.flatMap((family) => family.resources.map((resource) => ({ value: `${family.id}:${resource.id}`, label: resource.label })));
  const active = activeFilterCount(filters);

  return (
    <div className={classes.bar}>
      <div className={classes.first}>
        <SearchBox value={filters.search} change={change} searchRef={searchRef} />
        <Button
          className={classes.toggle}
          variant={opened ? 'light' : 'default'}
          leftSection={<Icon name="filter" size={16} />}
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          {active > 0 ? t('board.filterCount', { count: active }) : t('board.filters')}
        </Button>
      </div>
      {(!narrow || opened) && (
        <div className={classes.rest} data-opened={opened || undefined}>
          <NativeSelect
            className={classes.select}
            aria-label={t('board.type')}
            value={filters.type}
            onChange={(event) => change({ type: event.currentTarget.value })}
            data={[{ value: '', label: t('board.anyType') }, ...withCurrent(types.map((type) => ({ value: type.type, label: label(type.label) })), filters.type)]}
          />
          <NativeSelect
            className={classes.select}
            aria-label={t('board.reason')}
            value={filters.reason}
            onChange={(event) => change({ reason: event.currentTarget.value as BoardFilters['reason'] })}
            data={[{ value: '', label: t('board.anyReason') }, ...reasons.map((reason) => ({ value: reason, label: t(`reason.${reason}`) }))]}
          />
          {(scopes.length > 0 || filters.scope !== '') && (
            <NativeSelect
              className={classes.select}
              aria-label={t('board.scope')}
              value={filters.scope}
              onChange={(event) => change({ scope: event.currentTarget.value })}
              data={[{ value: '', label: t('board.anyScope') }, ...withCurrent(scopes, filters.scope)]}
            />
          )}
          <NativeSelect
            className={classes.select}
            aria-label={t('board.time')}
            value={filters.time}
            onChange={(event) => change({ time: event.currentTarget.value as BoardFilters['time'] })}
            data={[{ value: '', label: t('board.anyTime') }, ...timeSpans.map((span) => ({ value: span, label: t(`board.time.${span}`) }))]}
          />
          <NativeSelect
            className={classes.select}
            aria-label={t('board.only')}
            value={filters.only}
            onChange={(event) => change({ only: event.currentTarget.value as BoardFilters['only'] })}
            data={['' as const, ...onlys].map((only) => ({ value: only, label: t(only === '' ? 'board.only.all' : `board.only.${only}`) }))}
          />
          {ordered && (
            <Checkbox
              size="xs"
              label={t('board.hideMuted')}
              checked={filters.muted === '' && filters.only !== 'muted'}
              disabled={filters.only === 'muted'}
              onChange={(event) => change({ muted: event.currentTarget.checked ? '' : 'shown' })}
            />
          )}
          {ordered && (
            <NativeSelect
              className={classes.select}
              aria-label={t('board.sort')}
              value={filters.sort}
              onChange={(event) => change({ sort: event.currentTarget.value as BoardFilters['sort'] })}
              data={sorts.map((sort) => ({ value: sort, label: t(`board.sort.${sort}`) }))}
            />
          )}
          <TextInput
            className={classes.locale}
            aria-label={t('board.locale')}
            title={t('board.locale')}
            placeholder={t('report.locale')}
            value={filters.locale}
            maxLength={35}
            onChange={(event) => change({ locale: event.currentTarget.value.trim() })}
          />
          {filters.policy !== '' && (
            <Button variant="light" size="compact-md" rightSection={<Icon name="close" size={14} />} onClick={() => change({ policy: '' })}>
              {t('board.policy', { policy: filters.policy })}
            </Button>
          )}
          {filters.tag !== '' && (
            <Button variant="light" size="compact-md" rightSection={<Icon name="close" size={14} />} onClick={() => change({ tag: '' })}>
              {t('board.tag', { tag: filters.tag })}
            </Button>
          )}
          {filters.author !== '' && (
            <Button variant="light" size="compact-md" rightSection={<Icon name="close" size={14} />} onClick={() => change({ author: '' })}>
              {t('board.author')}
            </Button>
          )}
          {filters.target !== '' && (
            <Button variant="light" size="compact-md" rightSection={<Icon name="close" size={14} />} onClick={() => change({ target: '' })}>
              {t('board.target')}
            </Button>
          )}
          {clearable && isNarrowed(filters) && (
            <Button variant="subtle" size="compact-md" onClick={() => change({ ...defaultFilters, status: filters.status, sort: filters.sort })}>
              {t('board.clearFilters')}
            </Button>
          )}
        </div>
      )}
    </div>
  );
});

/** Adds the value of a link that is not among the options, so that it shows. */
function withCurrent(data: { value: string; label: string }[], current: string) {
  return current === '' || data.some((entry) => entry.value === current) ? data : [...data, { value: current, label: current }];
}

function SearchBox({ value, change, searchRef }: { value: string; change: Change; searchRef: RefObject<HTMLInputElement | null> }) {
  const { t } = useI18n();
  const [text, setText] = useState(value);
  useEffect(() => {
    setText(value);
  }, [value]);
  useEffect(() => {
    if (text === value) return;
    // Typing replaces the history entry, so that Back leaves the search at once.
    const timer = setTimeout(() => change({ search: text.trim() }, value !== ''), typingPause);
    return () => clearTimeout(timer);
  }, [text, value, change]);
  // Not a TextInput: it sets an id as it appears, which renders it again before the first paint.
  return (
    <Input
      ref={searchRef}
      className={classes.search}
      type="search"
      aria-label={t('board.search')}
      placeholder={t('board.searchHint')}
      leftSection={<Icon name="search" size={16} />}
      rightSection={text !== '' ? <CloseButton size="sm" aria-label={t('action.clear')} onClick={() => setText('')} /> : undefined}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.currentTarget.blur();
      }}
    />
  );
}
