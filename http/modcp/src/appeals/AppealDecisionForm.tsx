import { Button, Kbd, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { decideAppeal, isOwn, type Appeal } from '../api/appeals';
import { asApiError } from '../api/http';
import { keys } from '../api/queryKeys';
import { useI18n } from '../i18n/I18n';
import { shortcuts } from '../keyboard/shortcuts';
import { useUser } from '../session/useSession';
import { useDraft } from '../storage/drafts';
import { Callout } from '../ui/Callout';
import { Form, FormButtons } from '../ui/Form';
import { Icon } from '../ui/Icon';
import { appealLimits, fits, length } from '../ui/limits';
import { Panel } from '../ui/Panel';
import { useToasts } from '../ui/Toasts';
import { useErrorText } from '../ui/useErrorText';
import classes from './Appeals.module.css';

export type AppealOutcome = 'uphold' | 'overturn';

interface Props {
  appeal: Appeal;
  chosen: AppealOutcome | null;
  choose: (outcome: AppealOutcome | null) => void;
}

/** Upholds or overturns the decision, with a reply to the appellant. The reply survives a conflict. */
export function AppealDecisionForm({ appeal, chosen, choose }: Props) {
  const { t, number } = useI18n();
  const user = useUser();
  const client = useQueryClient();
  const toasts = useToasts();
  const errorText = useErrorText();
  const [draft, setDraft] = useDraft<string>(`appeal:${appeal.id}`);
  const field = useRef<HTMLTextAreaElement>(null);
  const reply = draft ?? '';
  useEffect(() => {
    if (chosen !== null) field.current?.focus();
  }, [chosen]);

  const decide = useMutation({
    mutationFn: (outcome: AppealOutcome) => decideAppeal(appeal.id, outcome, appeal.version, reply.trim()),
    onSuccess: (next, outcome) => {
      setDraft(null);
      // The form goes, and the focus with it.
      document.getElementById('main')?.focus({ preventScroll: true });
      client.setQueryData(keys.appeal(appeal.id), next);
      toasts.show({ text: t(outcome === 'uphold' ? 'appeal.upheldToast' : 'appeal.overturnedToast') });
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: keys.appeals });
      void client.invalidateQueries({ queryKey: keys.appeal(appeal.id) });
      void client.invalidateQueries({ queryKey: keys.report(appeal.reportId) });
      void client.invalidateQueries({ queryKey: keys.timeline(appeal.reportId) });
      void client.invalidateQueries({ queryKey: keys.reports });
    },
  });

  if (isOwn(appeal, user?.id)) {
    return <Callout tone="blue">{t('error.own_decision')}</Callout>;
  }
  const failure = decide.isError ? asApiError(decide.error) : null;
  const submit = () => {
    if (chosen !== null && fits(reply, appealLimits) && !decide.isPending) decide.mutate(chosen);
  };
  return (
    <Panel id="decide-appeal" title={t('appeal.decide')}>
      {failure !== null && (
        <Callout tone="red" alert title={t('appeal.refused')}>
          {errorText(failure)} {failure.status === 409 && t('report.conflictHint')}
        </Callout>
      )}
      <div className={classes.choices} role="group" aria-label={t('appeal.decide')}>
        {(['uphold', 'overturn'] as const).map((outcome) => (
          <Button
            key={outcome}
            variant={chosen === outcome ? 'filled' : 'default'}
            aria-pressed={chosen === outcome}
            leftSection={<Icon name={outcome === 'uphold' ? 'check' : 'undo'} size={16} />}
            rightSection={
              <Kbd size="xs" className={classes.key} aria-hidden="true">
                {shortcuts.appeal[outcome].key}
              </Kbd>
            }
            onClick={() => choose(outcome)}
          >
            {t(`appeal.${outcome}`)}
          </Button>
        ))}
      </div>
      {chosen !== null && (
        <Form className={classes.form} label={t(`appeal.${chosen}`)} cancel={() => choose(null)} submit={submit}>
          <p className="small">{t(chosen === 'uphold' ? 'appeal.upholdHint' : appeal.by === 'author' ? 'appeal.overturnAuthorHint' : 'appeal.overturnReporterHint')}</p>
          <Textarea
            ref={field}
            required
            label={t('appeal.reply')}
            description={t('report.lengthHint', appealLimits)}
            minRows={3}
            autosize
            maxRows={12}
            value={reply}
            error={length(reply) > appealLimits.max ? t('report.tooLong', { limit: number(appealLimits.max) }) : undefined}
            onChange={(event) => setDraft(event.currentTarget.value)}
          />
          <FormButtons cancel={() => choose(null)} submit={t(`appeal.${chosen}`)} loading={decide.isPending} disabled={!fits(reply, appealLimits)} />
        </Form>
      )}
    </Panel>
  );
}
