import { Button, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keys } from '../api/queryKeys';
import { appealDecision, type MemberDecision, type OwnAppeal } from '../api/memberDecisions';
import { AppealTag } from '../appeals/AppealTag';
import { useI18n } from '../i18n/I18n';
import { useDraft } from '../storage/drafts';
import { Form } from '../ui/Form';
import { appealLimits, fits, length } from '../ui/limits';
import { Panel } from '../ui/Panel';
import { useNow } from '../ui/useNow';
import { useToasts } from '../ui/Toasts';
import { useErrorText } from '../ui/useErrorText';
import { When } from '../ui/When';
import classes from './Forum.module.css';

/** The appeal against a decision: its form until the deadline, then its text and outcome. */
export function MemberAppealForm({ details }: { details: MemberDecision }) {
  const { t, date } = useI18n();
  const now = useNow();
  const until = details.decision?.appealableUntil ?? null;
  if (details.appeal !== null) return <Lodged appeal={details.appeal} />;
  if (until === null) return null;
  if (Date.parse(until) <= now) {
    return (
      <Panel id="appeal" title={t('decisions.appeal')}>
        <p className={classes.meta}>{t('decisions.appealClosed', { date: date(until) })}</p>
      </Panel>
    );
  }
  return (
    <Panel id="appeal" title={t('decisions.appeal')}>
      <p className={classes.meta}>{t(details.role === 'author' ? 'decisions.appealAuthorHint' : 'decisions.appealReporterHint', { date: date(until) })}</p>
      <AppealWriter id={details.id} />
    </Panel>
  );
}

function Lodged({ appeal }: { appeal: OwnAppeal }) {
  const { t } = useI18n();
  return (
    <Panel id="appeal" title={t('decisions.appeal')}>
      <p className={classes.meta}>
        <AppealTag status={appeal.status} /> <When iso={appeal.decidedAt ?? appeal.createdAt} />
      </p>
      <p className={classes.text} dir="auto">
        {appeal.text ?? t('state.erased')}
      </p>
      <p className={classes.meta}>{t(`decisions.outcome.${appeal.status}`)}</p>
      {appeal.reply !== null && (
        <>
          <h3 className={classes.heading}>{t('appeal.reply')}</h3>
          <p className={classes.text} dir="auto">
            {appeal.reply}
          </p>
        </>
      )}
    </Panel>
  );
}

function AppealWriter({ id }: { id: string }) {
  const { t, number } = useI18n();
  const client = useQueryClient();
  const toasts = useToasts();
  const errorText = useErrorText();
  const [draft, setDraft] = useDraft<string>(`own-appeal:${id}`);
  const text = draft ?? '';
  const send = useMutation({
    mutationFn: () => appealDecision(id, text.trim()),
    onSuccess: () => {
      setDraft(null);
      toasts.show({ text: t('decisions.appealed') });
    },
    onSettled: () => Promise.all([client.invalidateQueries({ queryKey: keys.decision(id) }), client.invalidateQueries({ queryKey: keys.decisions })]),
  });
  return (
    <Form
      className={classes.appealForm}
      label={t('decisions.appeal')}
      fault={send.isError ? errorText(send.error) : null}
      submit={() => {
        if (fits(text, appealLimits)) send.mutate();
      }}
    >
      <Textarea
        required
        label={t('decisions.appealText')}
        minRows={4}
        autosize
        maxRows={16}
        value={text}
        error={length(text) > appealLimits.max ? t('report.tooLong', { limit: appealLimits.max }) : undefined}
        description={`${number(length(text))} / ${number(appealLimits.max)}`}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        onChange={(event) => setDraft(event.currentTarget.value)}
      />
      <Button type="submit" loading={send.isPending} disabled={!fits(text, appealLimits)}>
        {t('decisions.send')}
      </Button>
    </Form>
  );
}
