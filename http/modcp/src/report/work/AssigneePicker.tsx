import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../../api/queryKeys';
import { listAssignees } from '../../api/reports';
import { useI18n } from '../../i18n/I18n';

/** Picks an assignee among those who may manage this report, as the server lists them. */
export function AssigneePicker({ reportId, value, onChange, label: title, autoFocus = false }: { reportId: string; value: string | null; onChange: (id: string | null) => void; label?: string; autoFocus?: boolean }) {
  const { t } = useI18n();
  const [search, setSearch] = useState('');
  const [term] = useDebouncedValue(search, 200);
  const people = useQuery({
    queryKey: keys.assignees(reportId, term),
    queryFn: ({ signal }) => listAssignees(reportId, term, signal),
    placeholderData: keepPreviousData,
  });
  const edges = people.data?.edges ?? [];
  return (
    <Select
      label={title ?? t('bulk.assignTo')}
      placeholder={t('report.assigneeSearch')}
      searchable
      selectFirstOptionOnChange
      clearable
      data-autofocus={autoFocus || undefined}
      nothingFoundMessage={people.isFetching ? t('state.loading') : t('palette.empty')}
      value={value}
      onChange={onChange}
      onSearchChange={(text) => {
        // Choosing an option writes its label into the search field; that must not start a search.
        if (!edges.some((person) => label(person, t('report.you')) === text)) setSearch(text);
      }}
      filter={({ options }) => options}
      data={edges.map((person) => ({ value: person.id, label: label(person, t('report.you')) }))}
    />
  );
}

function label(person: { name: string; self: boolean }, you: string): string {
  return person.self ? `${person.name} (${you})` : person.name;
}
