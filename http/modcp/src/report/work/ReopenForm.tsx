import { Textarea } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useI18n } from '../../i18n/I18n';
import { useDraft } from '../../storage/drafts';
import { Form, FormButtons } from '../../ui/Form';
import { fits, noteLimits } from '../../ui/limits';
import classes from './WorkPanel.module.css';
import type { WorkFormProps } from './workForm';

export function ReopenForm({ report, commands, setForm }: WorkFormProps) {
  const { t } = useI18n();
  const [draft, setDraft] = useDraft<string>(`${report.id}:reopen`);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
  }, []);
  const text = draft ?? '';
  const submit = () =>
    void commands.reopen(text.trim()).then((next) => {
      if (next === null) return;
      setDraft(null);
      setForm(null);
    });
  return (
    <Form className={classes.form} cancel={() => setForm(null)} label={t('move.reopen')} submit={submit}>
      <Textarea ref={field} required label={t('report.reopenReason')} description={t('report.lengthHint', noteLimits)} value={text} onChange={(event) => setDraft(event.currentTarget.value)} />
      <FormButtons cancel={() => setForm(null)} submit={t('move.reopen')} disabled={!fits(text, noteLimits)} loading={commands.pending === 'reopen'} />
    </Form>
  );
}
