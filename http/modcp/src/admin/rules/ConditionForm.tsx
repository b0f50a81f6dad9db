import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { startBacktest } from '../../api/backtests';
import { keys } from '../../api/queryKeys';
import { useI18n } from '../../i18n/I18n';
import { useDraft } from '../../storage/drafts';
import { Form } from '../../ui/Form';
import { useErrorText } from '../../ui/useErrorText';
import shared from '../shared/Admin.module.css';
import { ConditionEditor } from './ConditionEditor';
import { atMidnight, conditionDraft, emptyCondition, type ConditionDraft } from './conditionDraft';
import classes from './Rules.module.css';
import { DiscardDraft } from '../shared/DiscardDraft';
import { useRuleCheck } from './useRuleCheck';

/** Writes a condition, which the server checks meanwhile, and asks what it would have matched. */
export function ConditionForm() {
  const { t } = useI18n();
  const client = useQueryClient();
  const navigate = useNavigate();
  const errorText = useErrorText();
  const [stored, setDraft] = useDraft<ConditionDraft>(conditionDraft);
  const draft = stored ?? emptyCondition;
  const { when, since, until } = draft;
  const check = useRuleCheck(when);
  const turned = since !== '' && until !== '' && until <= since;
  const start = useMutation({
    mutationFn: () => startBacktest({ when, since: atMidnight(since), until: atMidnight(until) }),
    onSuccess: (made) => {
      client.setQueryData(keys.backtest(made.id), made);
      void navigate(`/admin/core/rules/backtests/${made.id}`);
    },
  });
  const failed = start.error ?? check.error;
  return (
    <Form className={shared.form} label={t('backtest.condition')} submit={() => start.mutate()} fault={failed === null ? null : errorText(failed)}>
      <ConditionEditor when={when} change={(next) => setDraft({ ...draft, when: next })} check={check} />
      <div className={classes.range}>
        <TextInput type="date" max="9999-12-31" label={t('backtest.since')} value={since} onChange={(event) => setDraft({ ...draft, since: event.currentTarget.value })} />
        <TextInput type="date" max="9999-12-31" label={t('backtest.until')} value={until} error={turned ? t('backtest.turned') : undefined} onChange={(event) => setDraft({ ...draft, until: event.currentTarget.value })} />
      </div>
      <p className={shared.detail}>{t('backtest.onlyReported')}</p>
      <div className={shared.foot}>
        {stored !== null && (
          <DiscardDraft discard={() => setDraft(null)} />
        )}
        <Button type="submit" loading={start.isPending} disabled={!check.sound || turned}>
          {t('backtest.start')}
        </Button>
      </div>
    </Form>
  );
}
