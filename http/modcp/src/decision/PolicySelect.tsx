import { Select } from '@mantine/core';
import { useState } from 'react';
import type { Policy } from '../api/policies';
import { useI18n } from '../i18n/I18n';
import { PrecedentCount } from '../precedents/Precedents';
import classes from './DecisionFields.module.css';

/** Up to how many rules the list says what each led to: that is a request for each. */
const withPrecedents = 20;

interface Props {
  policies: readonly Policy[];
  chosen: { key: string; version: number; title: string } | null;
  onChange: (key: string | null) => void;
  /** The report whose precedents stand beside the rules. */
  reportId?: string;
}

/** A choice of a rule in force. */
export function PolicySelect({ policies, chosen, onChange, reportId }: Props) {
  const { t } = useI18n();
  const current = policies.find((policy) => policy.key === chosen?.key);
  const outdated = chosen !== null && current?.version !== chosen.version;
  const [search, setSearch] = useState('');
  const data = [
    ...policies.map((policy) => ({ value: policy.key, label: policy.title })),
    ...(chosen !== null && current === undefined ? [{ value: chosen.key, label: chosen.title }] : []),
  ];
  return (
    <Select
      label={t('decision.policy')}
      placeholder={t('decision.policySearch')}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      // Mantine leaves what was typed where the option that is chosen is taken again.
      onOptionSubmit={(key) => setSearch(data.find((option) => option.value === key)?.label ?? '')}
      selectFirstOptionOnChange
      clearable
      nothingFoundMessage={t('palette.empty')}
      value={chosen?.key ?? null}
      onChange={onChange}
      error={outdated ? t('decision.policyOutdated') : undefined}
      data={data}
      filter={({ options, search }) => {
        const asked = search.trim().toLocaleLowerCase();
        return options.filter((option) => 'value' in option && (option.label.toLocaleLowerCase().includes(asked) || option.value.includes(asked)));
      }}
      renderOption={({ option }) => (
        <span className={classes.option}>
          <bdi>{option.label}</bdi> <code>{option.value}</code>
          {reportId !== undefined && policies.length <= withPrecedents && <PrecedentCount reportId={reportId} policy={option.value} />}
        </span>
      )}
    />
  );
}
