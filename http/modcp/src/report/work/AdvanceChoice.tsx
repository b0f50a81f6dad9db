import { Switch } from '@mantine/core';
import { useI18n } from '../../i18n/I18n';
import { Segments } from '../../ui/Segments';
import type { WorkFormProps } from './workForm';
import classes from './WorkPanel.module.css';

/** Whether and to what a decision leads on, by its key as by its form. */
export function AdvanceChoice({ together, advance, chooses }: Pick<WorkFormProps, 'together' | 'advance' | 'chooses'>) {
  const { t } = useI18n();
  return (
    <div className={classes.advance}>
      <Switch size="xs" label={t(together !== null || (advance.on && chooses && advance.to === 'case') ? 'cases.advance' : 'pref.advance')} checked={advance.on} onChange={(event) => advance.setOn(event.currentTarget.checked)} />
      {advance.on && chooses && (
        <Segments
          size="xs"
          aria-label={t('advance.to')}
          value={advance.to}
          onChange={advance.setTo}
          data={[
            { value: 'report', label: t('advance.report') },
            { value: 'case', label: t('cases.next') },
          ]}
        />
      )}
    </div>
  );
}
