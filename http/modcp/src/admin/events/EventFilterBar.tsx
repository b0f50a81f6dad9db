import { Button, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { LoggedEvent } from '../../api/audit';
import { keys } from '../../api/queryKeys';
import { listStaff } from '../../api/staff';
import { useI18n, type I18n } from '../../i18n/I18n';
import { reportIdIn } from '../../keyboard/reportIdIn';
import { useEventText } from './EventName';
import { isFiltered, unfiltered, type EventFilters } from './eventFilters';
import { loggedTypes } from './loggedTypes';
import classes from './EventFilterBar.module.css';

interface Props {
  filters: EventFilters;
  change: (change: Partial<EventFilters>) => void;
  /** Those that are listed: whoever caused one can be chosen. */
  events: readonly LoggedEvent[];
}

export function EventFilterBar({ filters, change, events }: Props) {
  const { t, locale } = useI18n();
  const text = useEventText();
  const types = loggedTypes.map((type) => ({ value: type, label: text(type) })).sort((a, b) => a.label.localeCompare(b.label, locale.id));
  return (
    <div className={classes.bar} role="search" aria-label={t('events.filters')}>
      <Actors chosen={filters.actor} choose={(actor) => change({ actor })} events={events} />
      <Select
        aria-label={t('events.type')}
          {...emptied(t)}
        placeholder={t('events.anyType')}
        value={filters.type || null}
        onChange={(type) => change({ type: type ?? '' })}
        data={types}
      />
      <ReportField key={filters.report} report={filters.report} choose={(report) => change({ report })} />
      <label className={classes.day}>
        {t('events.from')}
        <TextInput type="date" max="9999-12-31" value={filters.from} onChange={(event) => change({ from: event.currentTarget.value })} />
      </label>
      <label className={classes.day}>
        {t('events.to')}
        <TextInput type="date" max="9999-12-31" value={filters.to} onChange={(event) => change({ to: event.currentTarget.value })} />
      </label>
      {isFiltered(filters) && (
        <Button variant="subtle" onClick={() => change(unfiltered)}>
          {t('board.clearFilters')}
        </Button>
      )}
    </div>
  );
}

const emptied = (t: I18n['t']) => ({ searchable: true, clearable: true, clearButtonProps: { 'aria-label': t('action.clear') } }) as const;

/** Offers moderators and whoever caused a listed event; anybody else by their id. */
function Actors({ chosen, choose, events }: { chosen: string; choose: (actor: string) => void; events: readonly LoggedEvent[] }) {
  const { t } = useI18n();
  const [typed, setTyped] = useState('');
  const staff = useQuery({ queryKey: [...keys.staff('moderator'), 'names'], queryFn: ({ signal }) => listStaff('moderator', { first: 100 }, signal), retry: false });
  const names = new Map<string, string>();
  for (const id of [chosen, reportIdIn(typed)]) if (id !== null && id !== '') names.set(id, id);
  for (const { user } of staff.data?.edges ?? []) if (user !== null) names.set(user.id, user.name);
  for (const { actorId, actorName } of events) if (actorId !== null && actorName !== null) names.set(actorId, actorName);
  return (
    <Select
      aria-label={t('events.actor')}
      {...emptied(t)}
      placeholder={t('events.anybody')}
      value={chosen || null}
      onChange={(actor) => choose(actor ?? '')}
      onSearchChange={setTyped}
      data={[...names].map(([value, label]) => ({ value, label }))}
    />
  );
}

/** Takes a report's id, or the address of its page. */
function ReportField({ report, choose }: { report: string; choose: (report: string) => void }) {
  const { t } = useI18n();
  const [text, setText] = useState(report);
  const broken = text.trim() !== '' && reportIdIn(text) === null;
  return (
    <TextInput
      aria-label={t('events.report')}
      placeholder={t('events.report')}
      value={text}
      error={broken ? t('events.noReport') : undefined}
      onChange={(event) => {
        setText(event.currentTarget.value);
        const id = reportIdIn(event.currentTarget.value);
        if (id !== null || event.currentTarget.value.trim() === '') choose(id ?? '');
      }}
    />
  );
}
