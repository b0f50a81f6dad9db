import { Textarea } from '@mantine/core';
import { useI18n } from '../../i18n/I18n';
import { useDraft } from '../../storage/drafts';
import { Form, FormButtons } from '../../ui/Form';
import { fits, noteLimits } from '../../ui/limits';
import classes from './WorkPanel.module.css';
import type { WorkFormProps } from './workForm';

/** Gives an escalated report back, with what to do. */
export function ReturnForm({ report, commands, setForm }: WorkFormProps) {
  const { t } = useI18n();
  const [draft, setDraft] = useDraft<string>(`${report.id}:return`);
  const note = (draft ?? '').trim();
  const good = note === '' || fits(note, noteLimits);
  return (
    <Form
      className={classes.form}
      label={t('move.return')}
      cancel={() => setForm(null)}
      submit={() => {
        if (!good) return;
        void commands.giveBack(note === '' ? null : note).then((next) => {
          if (next === null) return;
          setDraft(null);
          setForm(null);
        });
      }}
    >
      <p className={classes.nothing}>{t('escalation.returnHint')}</p>
      <Textarea autosize minRows={2} data-autofocus label={t('escalation.returnNote')} description={t('report.lengthHint', noteLimits)} value={draft ?? ''} onChange={(event) => setDraft(event.currentTarget.value)} />
      <FormButtons cancel={() => setForm(null)} submit={t('move.return')} disabled={!good} loading={commands.pending === 'return'} />
    </Form>
  );
}
