import { Radio, Select, Stack, Textarea } from '@mantine/core';
import '@mantine/core/styles/Radio.css';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ForumKind } from '../api/forum';
import { asApiError } from '../api/http';
import { fileReport } from '../api/reports';
import { reasons, type Reason } from '../api/types';
import { usePolicies } from '../decision/usePolicies';
import { useI18n } from '../i18n/I18n';
import { Callout } from '../ui/Callout';
import { Dialog } from '../ui/Dialog';
import { Form, FormButtons } from '../ui/Form';
import { detailLimits, length } from '../ui/limits';
import { useToasts } from '../ui/Toasts';
import { useErrorText } from '../ui/useErrorText';
import { targetTypes } from './forumContent';

/** Files a report: a reason, and details where they are required. */
export function ReportDialog({ kind, id, title, close }: { kind: ForumKind; id: string; title: string; close: () => void }) {
  const { t, locale } = useI18n();
  const toasts = useToasts();
  const errorText = useErrorText();
  const [reason, setReason] = useState<Reason | null>(null);
  const [policy, setPolicy] = useState<string | null>(null);
  const rules = usePolicies()?.filter(({ reportable }) => reportable) ?? [];
  const [description, setDescription] = useState('');
  const used = length(description);
  const needed = reason === 'other' ? detailLimits.min : 0;
  const fault = used > detailLimits.max ? t('report.tooLong', { limit: detailLimits.max }) : undefined;

  const file = useMutation({
    mutationFn: () =>
      fileReport({
        pluginId: 'forum',
        targetType: targetTypes[kind],
        targetId: id,
        locale: locale.id,
        reason: reason ?? 'other',
        ...(reason === 'rule_violation' && policy !== null ? { policy } : {}),
        ...(description.trim() === '' ? {} : { description: description.trim() }),
      }),
    onSuccess: () => {
      toasts.show({ text: t('demo.filed') });
      close();
    },
  });

  return (
    <Dialog close={close} title={title === '' ? t('demo.report') : t('demo.reportThis', { title })}>
      <Form submit={() => file.mutate()}>
        <Stack gap="sm">
          {file.isError && (
            <Callout tone="red" alert>
              {asApiError(file.error).code === 'already_reported' ? t('demo.already') : errorText(file.error)}
            </Callout>
          )}
          <Radio.Group label={t('demo.why')} required value={reason} onChange={(value) => setReason(value as Reason)}>
            <Stack gap={8} mt={6}>
              {reasons.map((one, index) => (
                <Radio key={one} value={one} label={t(`reason.${one}`)} description={t(`demo.reason.${one}`)} data-autofocus={index === 0 || undefined} />
              ))}
            </Stack>
          </Radio.Group>
          {reason === 'rule_violation' && rules.length > 0 && (
            <Select label={t('demo.rule')} description={t('demo.detailsHint')} clearable value={policy} onChange={setPolicy} data={rules.map(({ key, title }) => ({ value: key, label: title }))} />
          )}
          <Textarea
            label={t('demo.details')}
            description={needed > 0 ? t('demo.detailsNeeded', { count: needed }) : t('demo.detailsHint')}
            required={needed > 0}
            maxRows={8}
            value={description}
            error={fault}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          <FormButtons cancel={close} submit={t('demo.send')} loading={file.isPending} disabled={reason === null || used < needed || fault !== undefined} />
        </Stack>
      </Form>
    </Dialog>
  );
}
