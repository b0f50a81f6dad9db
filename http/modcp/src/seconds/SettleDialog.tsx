import { Checkbox, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../api/queryKeys';
import { settleSecond, type ListedSecond } from '../api/seconds';
import { useI18n } from '../i18n/I18n';
import { usePermission } from '../session/usePermission';
import { useDraft } from '../storage/drafts';
import { Dialog } from '../ui/Dialog';
import { Form, FormButtons } from '../ui/Form';
import { Segments } from '../ui/Segments';
import { fits, length, settlementLimits } from '../ui/limits';
import { useToasts } from '../ui/Toasts';
import { useErrorText } from '../ui/useErrorText';
import classes from './Seconds.module.css';
import { VerdictLine } from './VerdictLine';

/** The word of a third person on a dispute. */
export function SettleDialog({ second, settled, close }: { second: ListedSecond; settled: () => void; close: () => void }) {
  const { t, number } = useI18n();
  const client = useQueryClient();
  const toasts = useToasts();
  const errorText = useErrorText();
  const manages = usePermission('can_manage_reports');
  const [draft, setDraft] = useDraft<string>(`second:${second.id}`);
  const [stands, setStands] = useState(true);
  const [reopen, setReopen] = useState(false);
  const reason = draft ?? '';
  const settle = useMutation({
    mutationFn: () => settleSecond(second.id, { stands, reason: reason.trim(), reopen: !stands && reopen }),
    onSuccess: () => {
      setDraft(null);
      settled();
      toasts.show({ text: t('seconds.settledToast') });
      close();
    },
    onSettled: () => Promise.all([keys.seconds, keys.reports, keys.report(second.reportId), keys.timeline(second.reportId)].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
  return (
    <Dialog close={close} title={t('seconds.settleOf', { title: second.title })}>
      <Form
        className={classes.form}
        fault={settle.isError ? errorText(settle.error) : null}
        submit={() => {
          if (fits(reason, settlementLimits) && !settle.isPending) settle.mutate();
        }}
      >
        <dl className={classes.both}>
          <dt>{t('seconds.first')}</dt>
          <dd>
            <VerdictLine verdict={second.first} />
          </dd>
          <dt>{t('seconds.second')}</dt>
          <dd>
            <VerdictLine verdict={second.second} />
          </dd>
        </dl>
        <Segments
          aria-label={t('seconds.settle')}
          vertical
          value={stands ? 'stands' : 'falls'}
          onChange={(value) => setStands(value === 'stands')}
          data={[
            { value: 'stands', label: t('seconds.stands') },
            { value: 'falls', label: t('seconds.falls') },
          ]}
        />
        {!stands && manages && <Checkbox label={t('seconds.reopen')} checked={reopen} onChange={(event) => setReopen(event.currentTarget.checked)} />}
        <Textarea
          required
          data-autofocus
          label={t('seconds.reason')}
          description={t('report.lengthHint', settlementLimits)}
          minRows={2}
          autosize
          maxRows={8}
          value={reason}
          error={length(reason) > settlementLimits.max ? t('report.tooLong', { limit: number(settlementLimits.max) }) : undefined}
          onChange={(event) => setDraft(event.currentTarget.value)}
        />
        <FormButtons cancel={close} submit={t('seconds.settle')} loading={settle.isPending} disabled={!fits(reason, settlementLimits)} />
      </Form>
    </Dialog>
  );
}
