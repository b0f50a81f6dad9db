import { useState } from 'react';
import { useI18n } from '../../i18n/I18n';
import { Form, FormButtons } from '../../ui/Form';
import { AssigneePicker } from './AssigneePicker';
import classes from './WorkPanel.module.css';
import type { WorkFormProps } from './workForm';

export function AssignForm({ report, commands, setForm }: WorkFormProps) {
  const { t } = useI18n();
  const [assignee, setAssignee] = useState<string | null>(null);
  return (
    <Form
      className={classes.form}
      label={t('move.assign')}
      cancel={() => setForm(null)}
      submit={() => {
        if (assignee === null) return;
        void commands.assign(assignee).then((next) => {
          if (next !== null) setForm(null);
        });
      }}
    >
      <AssigneePicker reportId={report.id} value={assignee} onChange={setAssignee} autoFocus />
      <FormButtons cancel={() => setForm(null)} submit={t('move.assign')} disabled={assignee === null} loading={commands.pending === 'assign'} />
    </Form>
  );
}
