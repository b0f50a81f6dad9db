import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { useI18n } from '../../i18n/I18n';
import { useDraft } from '../../storage/drafts';
import { Form, FormButtons } from '../../ui/Form';
import { Segments } from '../../ui/Segments';
import { fits, noteLimits } from '../../ui/limits';
import { AssigneePicker } from './AssigneePicker';
import classes from './WorkPanel.module.css';
import type { WorkFormProps } from './workForm';

/** Leaves the report to the leads or to a person, and says why. */
export function EscalateForm({ report, commands, setForm }: WorkFormProps) {
  const { t } = useI18n();
  const [kind, setKind] = useState('leads');
  const [person, setPerson] = useState<string | null>(null);
  const [draft, setDraft] = useDraft<string>(`${report.id}:escalate`);
  const note = draft ?? '';
  const to = kind === 'leads' ? 'leads' : person;
  return (
    <Form
      className={classes.form}
      label={t('move.escalate')}
      cancel={() => setForm(null)}
      submit={() => {
        if (to === null || !fits(note, noteLimits)) return;
        void commands.escalate(to, note.trim()).then((next) => {
          if (next === null) return;
          setDraft(null);
          setForm(null);
        });
      }}
    >
      <Segments
        aria-label={t('escalation.to')}
        value={kind}
        onChange={setKind}
        data={[
          { value: 'leads', label: t('escalation.leads') },
          { value: 'person', label: t('escalation.person') },
        ]}
      />
      {kind === 'leads' ? <p className={classes.nothing}>{t('escalation.toLeads')}</p> : <AssigneePicker reportId={report.id} label={t('escalation.toPerson')} value={person} onChange={setPerson} />}
      <Textarea required autosize minRows={2} data-autofocus label={t('escalation.note')} description={t('report.lengthHint', noteLimits)} value={note} onChange={(event) => setDraft(event.currentTarget.value)} />
      <FormButtons cancel={() => setForm(null)} submit={t('move.escalate')} disabled={to === null || !fits(note, noteLimits)} loading={commands.pending === 'escalate'} />
    </Form>
  );
}
