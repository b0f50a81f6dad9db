import { MultiSelect, Select, Switch, TextInput } from '@mantine/core';
import { useI18n } from '../../i18n/I18n';
import type { StatementBasis } from '../../api/statements';
import type { PolicyFault } from './policyDraft';
import classes from './Policies.module.css';
import { categories, keywords } from './statementTerms';

interface Props {
  basis: StatementBasis | null;
  fault: (part: PolicyFault) => string | undefined;
  onChange: (basis: StatementBasis | null) => void;
}

/** What a rule says to the EU's transparency database about decisions by it. */
export function StatementFields({ basis, fault, onChange }: Props) {
  const { t } = useI18n();
  const change = (part: Partial<StatementBasis>) => basis !== null && onChange({ ...basis, ...part });
  return (
    <div className={classes.statement}>
      <Switch
        label={t('statements.toDatabase')}
        description={t('statements.toDatabaseHint')}
        checked={basis !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? { ground: 'incompatible', category: '' } : null)}
      />
      {basis !== null && (
        <>
          <Select
            label={t('statements.ground')}
            value={basis.ground}
            data={(['incompatible', 'illegal'] as const).map((value) => ({ value, label: t(`statements.ground.${value}`) }))}
            onChange={(ground) => ground !== null && change({ ground: ground as StatementBasis['ground'] })}
          />
          {basis.ground === 'illegal' && <TextInput label={t('statements.law')} value={basis.law ?? ''} error={fault('law')} onChange={(event) => change({ law: event.currentTarget.value })} />}
          <Select
            label={t('statements.category')}
            searchable
            value={basis.category === '' ? null : short(basis.category, 'STATEMENT_CATEGORY_')}
            error={fault('category')}
            data={categories.map((value) => ({ value, label: t(`statements.category.${value}`) }))}
            onChange={(category) => change({ category: category ?? '' })}
          />
          <MultiSelect
            label={t('statements.keywords')}
            description={t('statements.keywordsHint')}
            searchable
            maxValues={20}
            value={(basis.keywords ?? []).map((one) => short(one, 'KEYWORD_'))}
            data={keywords.map((value) => ({ value, label: words(value) }))}
            onChange={(chosen) => change({ keywords: chosen })}
          />
        </>
      )}
    </div>
  );
}

const short = (name: string, prefix: string) => (name.startsWith(prefix) ? name.slice(prefix.length) : name);

/** The database's own words, which are English. */
const words = (keyword: string) => keyword.charAt(0) + keyword.slice(1).toLowerCase().replaceAll('_', ' ');
